//! Which servers a URL means, and who we are to them.

use crate::error::ArgumentError;
use percent_encoding::percent_decode_str;
use std::fmt;
use std::path::PathBuf;

const ACCEPTED: &str = "redis://, rediss://, unix://, redis-sentinel:// or redis-cluster:// \
                        and what the documentation says of each";
const PORT: u16 = 6379;
const SENTINEL_PORT: u16 = 26379;
/// The longest list of hosts.
const MOST_HOSTS: usize = 64;

/// Where a server listens.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Address {
    Tcp(String, u16),
    Unix(PathBuf),
}

/// How to find the server for a key.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Topology {
    Single(Address),
    /// Sentinels that know the master of this name.
    Sentinel(Vec<Address>, String),
    /// Some nodes of a cluster.
    Cluster(Vec<Address>),
}

/// Files for TLS, in PEM form.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub(crate) struct TlsFiles {
    /// Authorities to trust in place of the system's.
    pub ca: Option<PathBuf>,
    /// The client's certificate and key.
    pub client: Option<(PathBuf, PathBuf)>,
}

/// Never shown.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct Secret(pub Vec<u8>);

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("***")
    }
}

/// What a URL says.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Target {
    pub topology: Topology,
    pub tls: Option<TlsFiles>,
    pub user: Option<Secret>,
    pub password: Option<Secret>,
    /// What the sentinels want.
    pub sentinel_password: Option<Secret>,
    pub database: u32,
}

impl Target {
    /// Reads a URL:
    ///
    /// * `redis://[[USER]:PASSWORD@]HOST[:PORT][/DB]`, the same with `rediss` over TLS
    /// * `unix://[[USER]:PASSWORD@]/PATH[?db=DB]`
    /// * `redis-sentinel://[[USER]:PASSWORD@]HOST[:PORT],…/NAME[/DB][?sentinel_password=…]`
    /// * `redis-cluster://[[USER]:PASSWORD@]HOST[:PORT],…`
    ///
    /// `rediss-sentinel` and `rediss-cluster` are the same over TLS. With TLS `?ca=FILE`,
    /// `&cert=FILE&key=FILE` name PEM files. User, password and parameters are percent-encoded.
    pub(crate) fn parse(url: &str) -> Result<Target, ArgumentError> {
        parse(url).map_err(|what| ArgumentError::new("url", what, ACCEPTED))
    }
}

/// What is wrong with a URL, without the secrets in it.
type Wrong = String;

fn parse(url: &str) -> Result<Target, Wrong> {
    let (scheme, rest) = url.split_once("://").ok_or("text without a scheme")?;
    let (rest, query) = rest.split_once('?').unwrap_or((rest, ""));
    if query.contains('@') && !rest.contains('@') {
        return Err("an at-sign after a question mark, which a password has as %3F".into());
    }
    // A password may hold slashes as they are; a path may hold an at-sign.
    let authority_end = match rest.rfind('@') {
        Some(at) if scheme != "unix" || rest[..at].contains(':') && !rest.starts_with('/') => {
            rest[at..].find('/').map_or(rest.len(), |slash| at + slash)
        }
        _ => rest.find('/').unwrap_or(rest.len()),
    };
    let (authority, path) = rest.split_at(authority_end);
    let (login, hosts) = match authority.rsplit_once('@') {
        Some((login, hosts)) => (Some(login), hosts),
        None => (None, authority),
    };
    let (user, password) = credentials(login)?;
    let options = Options::parse(query)?;
    let plain = scheme
        .strip_prefix("rediss")
        .map(|kind| format!("redis{kind}"));
    let tls = plain.is_some();
    let (topology, database) = match plain.as_deref().unwrap_or(scheme) {
        "redis" => {
            let mut all = addresses(hosts, PORT)?;
            if all.len() != 1 {
                return Err(format!("a list of {} hosts for one server", all.len()));
            }
            (Topology::Single(all.remove(0)), database(path)?)
        }
        "unix" if !hosts.is_empty() || path.len() < 2 => {
            return Err("no absolute path of a socket".into());
        }
        "unix" => {
            let path = decoded(path)?;
            let path = <std::ffi::OsString as std::os::unix::ffi::OsStringExt>::from_vec(path);
            (Topology::Single(Address::Unix(path.into())), 0)
        }
        "redis-sentinel" => {
            let path = path.strip_prefix('/').unwrap_or("");
            let (name, rest) = match path.split_once('/') {
                Some((name, _)) => (name, &path[name.len()..]),
                None => (path, ""),
            };
            let name = text(name)?;
            if name.is_empty() {
                return Err("no name of a master".into());
            }
            let sentinels = addresses(hosts, SENTINEL_PORT)?;
            (Topology::Sentinel(sentinels, name), database(rest)?)
        }
        "redis-cluster" if database(path)? != 0 => {
            return Err("a database of a cluster, which has only number 0".into());
        }
        "redis-cluster" => (Topology::Cluster(addresses(hosts, PORT)?), 0),
        _ => return Err(format!("scheme {scheme:?}")),
    };
    let is_unix = matches!(topology, Topology::Single(Address::Unix(_)));
    let is_sentinel = matches!(topology, Topology::Sentinel(..));
    let database = match options.database {
        Some(number) if is_unix => number,
        Some(_) => return Err("parameter db, where the path names the database".into()),
        None => database,
    };
    if options.names_files() && !tls {
        return Err("certificates without TLS (rediss)".into());
    }
    if options.sentinel_password.is_some() && !is_sentinel {
        return Err("parameter sentinel_password without sentinels".into());
    }
    Ok(Target {
        topology,
        user,
        password,
        sentinel_password: options.sentinel_password.clone(),
        database,
        tls: match tls {
            true => Some(options.files()?),
            false => None,
        },
    })
}

fn credentials(login: Option<&str>) -> Result<(Option<Secret>, Option<Secret>), Wrong> {
    let Some(login) = login else {
        return Ok((None, None));
    };
    let (user, password) = match login.split_once(':') {
        Some((user, password)) => (user, Some(password)),
        None => (login, None),
    };
    let secret = |text: &str| decoded(text).map(Secret);
    match (user, password) {
        (_, None) => Err("a user without a password".into()),
        ("", Some(password)) => Ok((None, Some(secret(password)?))),
        (user, Some(password)) => Ok((Some(secret(user)?), Some(secret(password)?))),
    }
}

fn addresses(hosts: &str, default_port: u16) -> Result<Vec<Address>, Wrong> {
    let all: Result<Vec<_>, _> = hosts
        .split(',')
        .map(|host| address(host, default_port))
        .collect();
    let all = all?;
    match all.len() {
        1..=MOST_HOSTS => Ok(all),
        n => Err(format!("{n} hosts, more than {MOST_HOSTS}")),
    }
}

/// `HOST`, `HOST:PORT`, `[IPV6]` or `[IPV6]:PORT`.
fn address(host: &str, default_port: u16) -> Result<Address, Wrong> {
    let (name, port) = match host.strip_prefix('[') {
        Some(rest) => {
            let (name, rest) = rest.split_once(']').ok_or("a bracket that is not closed")?;
            match rest.strip_prefix(':') {
                None if rest.is_empty() => (name, None),
                Some(port) => (name, Some(port)),
                None => return Err(format!("{rest:?} after an address")),
            }
        }
        None => match host.split_once(':') {
            Some((name, port)) => (name, Some(port)),
            None => (host, None),
        },
    };
    if name.is_empty() {
        return Err("an empty host".into());
    }
    let port = match port.map(str::parse) {
        None => default_port,
        Some(Ok(port)) if port > 0 => port,
        Some(_) => return Err("a port that is not 1 to 65535".into()),
    };
    Ok(Address::Tcp(text(name)?, port))
}

fn database(path: &str) -> Result<u32, Wrong> {
    let number = path.strip_prefix('/').unwrap_or(path);
    match number {
        "" => Ok(0),
        _ => number
            .parse()
            .map_err(|_| format!("database {number:?}, not a number")),
    }
}

fn decoded(text: &str) -> Result<Vec<u8>, Wrong> {
    let bytes: Vec<u8> = percent_decode_str(text).collect();
    match bytes.contains(&0) {
        true => Err("a NUL byte".into()),
        false => Ok(bytes),
    }
}

fn text(encoded: &str) -> Result<String, Wrong> {
    String::from_utf8(decoded(encoded)?).map_err(|_| "text that is not UTF-8".into())
}

/// What follows the question mark.
#[derive(Default)]
struct Options {
    database: Option<u32>,
    ca: Option<PathBuf>,
    cert: Option<PathBuf>,
    key: Option<PathBuf>,
    sentinel_password: Option<Secret>,
}

impl Options {
    fn parse(query: &str) -> Result<Options, Wrong> {
        let mut options = Options::default();
        for pair in query.split('&').filter(|pair| !pair.is_empty()) {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            let file = || text(value).map(|path| Some(PathBuf::from(path)));
            match name {
                "db" => options.database = Some(database(value)?),
                "ca" => options.ca = file()?,
                "cert" => options.cert = file()?,
                "key" => options.key = file()?,
                "sentinel_password" => options.sentinel_password = Some(Secret(decoded(value)?)),
                _ => return Err(format!("parameter {name:?}")),
            }
        }
        Ok(options)
    }

    fn names_files(&self) -> bool {
        self.ca.is_some() || self.cert.is_some() || self.key.is_some()
    }

    fn files(self) -> Result<TlsFiles, Wrong> {
        let client = match (self.cert, self.key) {
            (Some(cert), Some(key)) => Some((cert, key)),
            (None, None) => None,
            _ => return Err("only one of cert and key".into()),
        };
        Ok(TlsFiles {
            ca: self.ca,
            client,
        })
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Address::Tcp(host, port) if host.contains(':') => write!(f, "[{host}]:{port}"),
            Address::Tcp(host, port) => write!(f, "{host}:{port}"),
            Address::Unix(path) => write!(f, "{}", path.display()),
        }
    }
}

/// The URL without credentials and files.
impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let s = if self.tls.is_some() { "s" } else { "" };
        let list = |all: &[Address]| {
            let all: Vec<String> = all.iter().map(Address::to_string).collect();
            all.join(",")
        };
        match &self.topology {
            Topology::Single(Address::Unix(path)) => write!(f, "unix://{}", path.display())?,
            Topology::Single(address) => write!(f, "redis{s}://{address}")?,
            Topology::Sentinel(all, name) => write!(f, "redis{s}-sentinel://{}/{name}", list(all))?,
            Topology::Cluster(all) => write!(f, "redis{s}-cluster://{}", list(all))?,
        }
        match (&self.topology, self.database) {
            (_, 0) => Ok(()),
            (Topology::Single(Address::Unix(_)), db) => write!(f, "?db={db}"),
            (_, db) => write!(f, "/{db}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tcp(host: &str, port: u16) -> Address {
        Address::Tcp(host.into(), port)
    }

    fn shown(url: &str) -> String {
        Target::parse(url).unwrap().to_string()
    }

    #[test]
    fn urls_of_each_kind() {
        let one = Target::parse("redis://user:p%40ss@h:7000/3").unwrap();
        assert_eq!(one.topology, Topology::Single(tcp("h", 7000)));
        assert_eq!(one.user, Some(Secret(b"user".to_vec())));
        assert_eq!(one.password, Some(Secret(b"p@ss".to_vec())));
        assert_eq!(one.database, 3);
        let unix = Target::parse("unix:///run/redis.sock?db=2").unwrap();
        assert_eq!(
            unix.topology,
            Topology::Single(Address::Unix("/run/redis.sock".into()))
        );
        assert_eq!(unix.database, 2);
        let sentinel = Target::parse("redis-sentinel://:pw@a,b:1,[::1]:2/main/4").unwrap();
        let three = vec![tcp("a", 26379), tcp("b", 1), tcp("::1", 2)];
        assert_eq!(sentinel.topology, Topology::Sentinel(three, "main".into()));
        assert_eq!((sentinel.database, sentinel.user), (4, None));
        let cluster = Target::parse("rediss-cluster://a,b?ca=/etc/ca.pem").unwrap();
        let two = vec![tcp("a", 6379), tcp("b", 6379)];
        assert_eq!(cluster.topology, Topology::Cluster(two));
        assert_eq!(cluster.tls.unwrap().ca, Some("/etc/ca.pem".into()));
    }

    #[test]
    fn passwords_with_anything_in_them_and_paths_with_at_signs() {
        let odd = Target::parse("redis://:a/b@c:d@h/1").unwrap();
        assert_eq!(odd.password, Some(Secret(b"a/b@c:d".to_vec())));
        let path = Target::parse("unix:///run/a@b.sock").unwrap();
        assert_eq!(
            path.topology,
            Topology::Single(Address::Unix("/run/a@b.sock".into()))
        );
        let both = Target::parse("unix://:pw@/run/a.sock").unwrap();
        assert_eq!(both.password, Some(Secret(b"pw".to_vec())));
    }

    #[test]
    fn nothing_secret_is_shown() {
        assert_eq!(shown("redis://u:hush@h"), "redis://h:6379");
        assert_eq!(
            shown("rediss://:hush@[::1]:1/2?ca=/x"),
            "rediss://[::1]:1/2"
        );
        assert_eq!(shown("unix://:hush@/a?db=1"), "unix:///a?db=1");
        let sentinel = "redis-sentinel://:hush@a/m?sentinel_password=hush";
        assert_eq!(shown(sentinel), "redis-sentinel://a:26379/m");
        for wrong in [
            "redis://u:hush@",
            "x://u:hush@h",
            "redis://u:hush@h/x",
            "redis://hush@h",
            "redis://:a?hush@h",
        ] {
            let error = Target::parse(wrong).unwrap_err();
            assert!(!error.to_string().contains("hush"), "{error}");
        }
        let debug = format!("{:?}", Target::parse("redis://hush:hush@h").unwrap());
        assert!(!debug.contains("hush") && !debug.contains("104"), "{debug}");
    }

    #[test]
    fn what_is_wrong_is_said() {
        for (url, says) in [
            ("", "without a scheme"),
            ("h:6379", "without a scheme"),
            ("http://h", "scheme \"http\""),
            ("redis://", "an empty host"),
            ("redis://a,b", "2 hosts for one server"),
            ("redis://h:0", "1 to 65535"),
            ("redis://h:70000", "1 to 65535"),
            ("redis://h/x", "database \"x\""),
            ("redis://[::1", "not closed"),
            ("redis://h?ca=/x", "without TLS"),
            ("rediss://h?cert=/x", "only one of cert and key"),
            ("redis://h?x=1", "parameter \"x\""),
            ("redis://h?db=1", "the path names the database"),
            ("unix://", "no absolute path"),
            ("unix://h/x", "no absolute path"),
            ("redis-sentinel://a", "no name of a master"),
            ("redis-cluster://a/1", "only number 0"),
            ("redis://h%00", "a NUL byte"),
            ("redis://:pa?ss@h", "%3F"),
        ] {
            let error = Target::parse(url).unwrap_err().to_string();
            assert!(error.contains(says), "{url}: {error}");
        }
    }
}
