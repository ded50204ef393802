//! What PHP's engine is to the rest of the extension: values, calls, errors, objects.

pub mod call;
pub mod declare;
pub mod lazy;
pub mod object;
pub mod raise;
pub mod symbols;
pub mod value;
