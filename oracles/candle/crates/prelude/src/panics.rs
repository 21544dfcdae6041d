//! What a panic said and where, for whoever catches it.

use std::any::Any;
use std::cell::RefCell;
use std::panic::{set_hook, PanicHookInfo};

/// A panic: its message, and its place when it lies in the file of a program.
pub struct Panic {
    pub text: String,
    pub place: Option<Place>,
}

#[derive(Clone)]
pub struct Place {
    pub file: String,
    pub line: u32,
    pub column: u32,
}

thread_local! {
    static LAST: RefCell<Option<Panic>> = const { RefCell::new(None) };
}

/// Takes the panics over again; a program may have set a hook of its own.
pub fn watch() {
    set_hook(Box::new(note));
}

fn note(info: &PanicHookInfo<'_>) {
    let text = message(info.payload());
    let place = info.location().map(|at| Place {
        file: at.file().to_string(),
        line: at.line(),
        column: at.column(),
    });
    let thread = std::thread::current();
    let name = thread.name().unwrap_or("<unnamed>");
    match &place {
        Some(at) => {
            eprintln!("thread '{name}' panicked at {}:{}:{}:\n{text}", at.file, at.line, at.column)
        }
        None => eprintln!("thread '{name}' panicked:\n{text}"),
    }
    let _ = LAST.try_with(|last| last.replace(Some(Panic { text, place })));
}

/// The panic of this thread that `catch_unwind` gave `payload` for.
pub fn take(payload: Box<dyn Any + Send>) -> Panic {
    let text = message(&*payload);
    match LAST.with(|last| last.borrow_mut().take()) {
        Some(panic) if panic.text == text => panic,
        _ => Panic { text, place: None }, // the program's own hook, or resume_unwind
    }
}

fn message(payload: &(dyn Any + Send)) -> String {
    if let Some(text) = payload.downcast_ref::<&str>() {
        text.to_string()
    } else if let Some(text) = payload.downcast_ref::<String>() {
        text.clone()
    } else {
        "a panic whose payload is no text".to_string()
    }
}
