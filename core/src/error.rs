//! Every error of the crate and its text.

use std::fmt;
use std::path::{Path, PathBuf};

/// What can go wrong. A refusal is no error: it is a [`Decision`](crate::Decision).
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// A parameter is outside its range; nothing was charged.
    Argument(ArgumentError),
    /// The algorithm cannot do what was asked, such as `reserve` on a window.
    Unsupported {
        /// The call.
        call: &'static str,
        /// The limiter's name.
        limiter: String,
        /// Why not, and what to use instead.
        reason: &'static str,
    },
    /// The memory cannot be had, or the segment cannot be used; nothing was mapped.
    Segment {
        /// The file, or `None` for memory without one: an anonymous segment, or a store's.
        path: Option<PathBuf>,
        /// What is wrong with it and what would be right.
        reason: String,
    },
}

/// A parameter outside its range: its name, its value and what is accepted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ArgumentError {
    /// The parameter, as the documentation calls it: `capacity`, `window`, …
    pub parameter: &'static str,
    /// The value that was given.
    pub value: String,
    /// What would have been accepted.
    pub accepted: String,
}

impl Error {
    pub(crate) fn segment(path: Option<&Path>, reason: impl fmt::Display) -> Self {
        Error::Segment {
            path: path.map(Path::to_path_buf),
            reason: reason.to_string(),
        }
    }
}

impl ArgumentError {
    pub(crate) fn new(
        parameter: &'static str,
        value: impl fmt::Display,
        accepted: impl fmt::Display,
    ) -> Self {
        ArgumentError {
            parameter,
            value: value.to_string(),
            accepted: accepted.to_string(),
        }
    }
}

impl fmt::Display for ArgumentError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            parameter,
            value,
            accepted,
        } = self;
        write!(f, "{parameter} must be {accepted}, got {value}")
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Argument(e) => e.fmt(f),
            Error::Unsupported {
                call,
                limiter,
                reason,
            } => write!(f, "limiter \"{limiter}\" cannot {call}: {reason}"),
            Error::Segment { path: None, reason } => write!(f, "anonymous memory: {reason}"),
            Error::Segment {
                path: Some(p),
                reason,
            } => write!(f, "segment {}: {reason}", p.display()),
        }
    }
}

impl std::error::Error for ArgumentError {}
impl std::error::Error for Error {}

impl From<ArgumentError> for Error {
    fn from(e: ArgumentError) -> Self {
        Error::Argument(e)
    }
}
