//! TLS by rustls.

use super::Address;
use super::socket::Socket;
use crate::store::redis::failure::{Failure, Kind};
use crate::store::redis::target::TlsFiles;
use rustls::crypto::CryptoProvider;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName};
use rustls::{ClientConfig, ClientConnection, RootCertStore, StreamOwned};
use std::fmt::Display;
use std::path::Path;
use std::sync::Arc;

/// Whom to trust and who we are.
pub(in crate::store::redis) type Tls = Arc<ClientConfig>;

/// Reads the files; says which of them is wrong.
pub(in crate::store::redis) fn load(files: &TlsFiles) -> Result<Tls, String> {
    let roots = authorities(files.ca.as_deref())?;
    let provider = Arc::new(ring());
    let builder = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|e| e.to_string())?
        .with_root_certificates(roots);
    let config = match &files.client {
        None => builder.with_no_client_auth(),
        Some((cert, key)) => {
            let chain = certificates(cert)?;
            let key_der = PrivateKeyDer::from_pem_file(key).map_err(|e| wrong(key, e))?;
            builder
                .with_client_auth_cert(chain, key_der)
                .map_err(|e| wrong(cert, e))?
        }
    };
    Ok(Arc::new(config))
}

/// Small, and compiled with nothing but a C compiler.
#[allow(deprecated)] // for having no post-quantum key exchange, which is not asked for here
fn ring() -> CryptoProvider {
    rustls::crypto::ring::default_provider()
}

fn authorities(file: Option<&Path>) -> Result<RootCertStore, String> {
    let mut roots = RootCertStore::empty();
    match file {
        Some(file) => {
            for certificate in certificates(file)? {
                roots.add(certificate).map_err(|e| wrong(file, e))?;
            }
        }
        None => {
            roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
        }
    }
    match roots.is_empty() {
        true => Err("no authority to trust: name one with ?ca=FILE".into()),
        false => Ok(roots),
    }
}

fn certificates(file: &Path) -> Result<Vec<CertificateDer<'static>>, String> {
    let all = CertificateDer::pem_file_iter(file).and_then(Iterator::collect::<Result<Vec<_>, _>>);
    match all {
        Ok(all) if all.is_empty() => Err(wrong(file, "no certificate in it")),
        all => all.map_err(|e| wrong(file, e)),
    }
}

fn wrong(file: &Path, what: impl Display) -> String {
    format!("{}: {what}", file.display())
}

/// Shakes hands over a socket, before its deadline.
pub(super) fn handshake(
    tls: &Tls,
    address: &Address,
    mut socket: Socket,
) -> Result<StreamOwned<ClientConnection, Socket>, Failure> {
    let Address::Tcp(host, _) = address else {
        return Err(Failure::before(Kind::Tls, "a socket file has no TLS"));
    };
    let tls_error = |e: rustls::Error| Failure::before(Kind::Tls, e);
    let name = ServerName::try_from(host.clone()).map_err(|e| Failure::before(Kind::Tls, e))?;
    let mut session = ClientConnection::new(Arc::clone(tls), name).map_err(tls_error)?;
    while session.is_handshaking() {
        session.complete_io(&mut socket).map_err(|e| Failure {
            not_run: true,
            ..Failure::io(&e)
        })?;
    }
    Ok(StreamOwned::new(session, socket))
}
