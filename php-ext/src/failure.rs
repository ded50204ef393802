//! What the core could not do, as PHP's exceptions.

use crate::engine::raise::{self, Thrown};
use crate::{segment, store_exception};
use ratelimit_core::Error;

/// Why a limiter has no answer.
#[derive(Debug)]
pub enum Failure {
    Core(Error),
    /// There is no segment, and the limiter is to fail then.
    NoSegment,
}

impl From<Error> for Failure {
    #[cold]
    fn from(error: Error) -> Self {
        Failure::Core(error)
    }
}

impl Failure {
    /// Throws it. `parameters` are the core's names of the method's, in their order.
    #[cold]
    pub fn raise(self, parameters: &[&str]) -> Thrown {
        match self {
            Failure::NoSegment => {
                store_exception::throw(&format!("no shared memory: {}", segment::reason()))
            }
            Failure::Core(Error::Argument(e)) => {
                match parameters.iter().position(|name| *name == e.parameter) {
                    Some(index) => {
                        let message = format!("must be {}, {} given", e.accepted, e.value);
                        raise::argument_value(index as u32 + 1, &message)
                    }
                    None => raise::value_error(&e.to_string()),
                }
            }
            Failure::Core(e @ Error::Unsupported { .. }) => raise::value_error(&e.to_string()),
            Failure::Core(e) => store_exception::throw(&e.to_string()),
        }
    }
}
