//! A line for each test, and one for all.

/// Why a test failed.
pub type Failure = String;

/// What has passed and failed so far.
#[derive(Default)]
pub struct Report {
    passed: u32,
    failed: u32,
}

impl Report {
    /// Runs a test and prints its line. What it returns is a remark on what it saw.
    pub fn test(&mut self, name: &str, test: impl FnOnce() -> Result<String, Failure>) {
        match test() {
            Ok(remark) => {
                self.passed += 1;
                let gap = if remark.is_empty() { "" } else { "  # " };
                println!("ok {name}{gap}{remark}");
            }
            Err(why) => {
                self.failed += 1;
                println!("FAILED {name}: {why}");
            }
        }
    }

    /// Prints the closing line; whether nothing failed.
    pub fn close(&self) -> bool {
        println!("{} passed, {} failed", self.passed, self.failed);
        self.failed == 0
    }
}

/// Fails with a text unless a condition holds.
pub fn ensure(holds: bool, why: impl FnOnce() -> String) -> Result<(), Failure> {
    if holds { Ok(()) } else { Err(why()) }
}
