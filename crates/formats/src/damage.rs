//! Packed files that end before their data do: what is a row of records is read up to there.

use std::cell::RefCell;
use std::rc::Rc;

use model::Finding;

use crate::format::ReadContent;
use crate::source::unreadable;
use crate::{Content, ReadError};

/// Where a decoder notes that it could not unpack the rest of a file.
#[derive(Clone, Debug, Default)]
pub(crate) struct Damage(Rc<RefCell<Option<String>>>);

impl Damage {
    pub fn note(&self, found: String) {
        self.0.borrow_mut().get_or_insert(found);
    }

    /// What was found; none as long as all is well.
    pub fn found(&self) -> Option<String> {
        self.0.borrow().clone()
    }

    /// An error if there is damage.
    pub fn refused(&self, file: &str) -> Result<(), ReadError> {
        self.found().map_or(Ok(()), |found| Err(damaged(file, found)))
    }

    /// What was read, with a finding if the data end there. Only what is a row of records is worth anything up to there.
    pub fn read_up_to(
        &self,
        read: Result<ReadContent, ReadError>,
        file: &str,
    ) -> Result<ReadContent, ReadError> {
        let Some(found) = self.found() else { return read };
        match read {
            Ok(ReadContent { content, mut findings })
                if matches!(content, Content::Log(_) | Content::Trajectory(_) | Content::Bag(_)) =>
            {
                let message = format!("{found}; what comes before it was read");
                let hint = "fetch the file again, or live with its beginning";
                findings.insert(0, Finding::warning("PACKED_DATA_DAMAGED", message).hint(hint));
                Ok(ReadContent { content, findings })
            }
            _ => Err(damaged(file, found)),
        }
    }
}

fn damaged(file: &str, found: String) -> ReadError {
    unreadable(file, &std::io::Error::new(std::io::ErrorKind::InvalidData, found))
}
