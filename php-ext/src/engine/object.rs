//! Objects with a Rust side: laid out as the Rust value, then the engine's object.

use crate::engine::symbols::zend_objects_not_comparable;
use crate::engine::value::Borrowed;
use crate::engine::{lazy, raise};
use ext_php_rs::alloc::emalloc;
use ext_php_rs::boxed::ZBox;
use ext_php_rs::ffi::{
    HashTable, ZEND_ACC_NOT_SERIALIZABLE, object_properties_init, std_object_handlers,
    zend_array_dup, zend_class_entry, zend_function, zend_object, zend_object_handlers,
    zend_object_std_dtor, zend_object_std_init, zend_objects_clone_members,
    zend_std_get_properties, zend_throw_error, zval,
};
use ext_php_rs::types::ZendHashTable;
use std::alloc::Layout;
use std::ffi::{CStr, c_char, c_int};
use std::mem::offset_of;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr::null_mut;
use std::sync::atomic::{AtomicPtr, Ordering::Relaxed};

/// A class of ours in the engine. Set anew each time the module starts.
pub struct Class {
    entry: AtomicPtr<zend_class_entry>,
    handlers: AtomicPtr<zend_object_handlers>,
}

impl Class {
    pub const fn new() -> Self {
        Class {
            entry: AtomicPtr::new(null_mut()),
            handlers: AtomicPtr::new(null_mut()),
        }
    }

    #[inline(always)]
    pub fn entry(&self) -> *mut zend_class_entry {
        self.entry.load(Relaxed)
    }

    pub fn set_entry(&self, entry: &mut zend_class_entry) {
        self.entry.store(entry, Relaxed);
    }
}

/// The Rust side of a class. Once there it is not replaced: what changes, changes inside.
pub trait Native: Sized + 'static {
    fn class() -> &'static Class;

    /// How to get an object instead of by `new`; `None` if by `new`.
    const INSTEAD_OF_NEW: Option<&'static CStr>;

    /// Two objects are equal if their properties are.
    const COMPARABLE: bool = false;
    const SERIALIZABLE: bool = false;
    /// Whether `clone` works. `copy` gives the Rust side of the copy.
    const CLONEABLE: bool = false;

    /// Whether properties may be left unset for [`complete`](Native::complete) to write; see
    /// [`lazy`](crate::engine::lazy). None of them can be part of a cycle.
    const LAZY: bool = false;

    /// Writes the properties that are still to be written.
    ///
    /// # Safety
    /// `object` is a live object of this class.
    unsafe fn complete(_object: *mut zend_object) {}

    /// What an object made by `new` begins with.
    fn initial() -> Option<Self> {
        None
    }

    fn copy(&self) -> Option<Self> {
        None
    }

    /// The one value that the cycle collector must know of; or null.
    fn held(&self) -> *mut zval {
        null_mut()
    }

    /// What `var_dump()` shows besides the properties.
    fn describe(&self, _fields: &mut ZendHashTable) {}
}

#[repr(C)]
struct Object<T> {
    data: Option<T>,
    std: zend_object,
}

fn outer<T>(object: *mut zend_object) -> *mut Object<T> {
    object.wrapping_byte_sub(offset_of!(Object<T>, std)).cast()
}

/// The Rust side of an object; none if the constructor that sets it has not run.
///
/// # Safety
/// The object is of `T`'s class or one derived from it, and lives for `'a`.
#[inline(always)]
pub unsafe fn native<'a, T: Native>(object: *mut zend_object) -> Option<&'a T> {
    // SAFETY: objects of that class were made by `create`.
    unsafe { (*outer::<T>(object)).data.as_ref() }
}

/// The first of an object's declared properties.
pub fn slots(object: *mut zend_object) -> *mut zval {
    object
        .wrapping_byte_add(offset_of!(zend_object, properties_table))
        .cast()
}

/// A class's name, for messages.
pub fn class_name(object: *mut zend_object) -> String {
    // SAFETY: callers have a live object; its class and name outlive it.
    unsafe { Borrowed::new((*(*object).ce).name).lossy() }
}

/// A new object of `T`'s class, which is final and has no properties.
pub fn make<T: Native>(data: T) -> *mut zend_object {
    // SAFETY: the class is registered; nobody else has the object yet.
    unsafe {
        let object = allocate(T::class().entry(), Some(data));
        object_properties_init(object, (*object).ce);
        object
    }
}

/// A new object of `T`'s class, which is final, with its properties still to be written.
///
/// # Safety
/// The caller writes all `slots` before anybody sees the object.
#[inline(always)]
pub unsafe fn make_unset<T: Native>(data: T) -> *mut zend_object {
    // SAFETY: the class is registered.
    unsafe { allocate(T::class().entry(), Some(data)) }
}

#[inline(always)]
unsafe fn allocate<T: Native>(class: *mut zend_class_entry, data: Option<T>) -> *mut zend_object {
    const { assert!(align_of::<Object<T>>() <= 8, "the engine aligns to 8 bytes") };
    // SAFETY: there is room for the whole, for the properties of the class, and, as the whole ends
    // with one of those, for the engine's guards. Without memory the engine does not return.
    unsafe {
        let properties = (*class).default_properties_count as usize;
        let bytes = size_of::<Object<T>>() + properties * size_of::<zval>();
        let layout = Layout::from_size_align_unchecked(bytes, align_of::<Object<T>>());
        let whole: *mut Object<T> = emalloc(layout).cast();
        (&raw mut (*whole).data).write(data);
        let object = &raw mut (*whole).std;
        zend_object_std_init(object, class);
        (*object).handlers = T::class().handlers.load(Relaxed);
        object
    }
}

unsafe extern "C" fn create<T: Native>(class: *mut zend_class_entry) -> *mut zend_object {
    // SAFETY: the engine hands in `T`'s class or one derived from it.
    unsafe {
        let object = allocate(class, T::initial());
        object_properties_init(object, class);
        object
    }
}

unsafe extern "C" fn free<T: Native>(object: *mut zend_object) {
    // SAFETY: called once, on an object made by `create`. Nothing may unwind into the engine.
    unsafe {
        let _ = catch_unwind(AssertUnwindSafe(|| (*outer::<T>(object)).data = None));
        zend_object_std_dtor(object);
    }
}

unsafe extern "C" fn clone<T: Native>(old: *mut zend_object) -> *mut zend_object {
    // SAFETY: `old` is live and was made by `create`.
    unsafe {
        lazy::complete::<T>(old);
        let new = create::<T>((*old).ce);
        if let Some(data) = native::<T>(old) {
            (*outer::<T>(new)).data = data.copy();
        }
        zend_objects_clone_members(new, old);
        new
    }
}

unsafe extern "C" fn get_gc<T: Native>(
    object: *mut zend_object,
    table: *mut *mut zval,
    count: *mut c_int,
) -> *mut HashTable {
    // SAFETY: the object is live; the engine gives places for the answer.
    unsafe {
        let held = native::<T>(object).map_or(null_mut(), T::held);
        *table = held;
        *count = c_int::from(!held.is_null());
        // What may be unset is no array and no object: the table that others made of it will do.
        match (*(*object).ce).default_properties_count {
            0 => (*object).properties,
            _ if T::LAZY => (*object).properties,
            _ => zend_std_get_properties(object),
        }
    }
}

unsafe extern "C" fn debug_info<T: Native>(
    object: *mut zend_object,
    is_temporary: *mut c_int,
) -> *mut HashTable {
    // SAFETY: the object is live; the table handed back is ours to give away.
    unsafe {
        *is_temporary = 1;
        lazy::complete::<T>(object);
        let mut fields = ZBox::from_raw(zend_array_dup(zend_std_get_properties(object)));
        let describe = || {
            if let Some(data) = native::<T>(object) {
                data.describe(&mut fields);
            }
        };
        let _ = catch_unwind(AssertUnwindSafe(describe));
        fields.into_raw()
    }
}

unsafe extern "C" fn no_constructor<T: Native>(object: *mut zend_object) -> *mut zend_function {
    let instead = T::INSTEAD_OF_NEW.unwrap_or_default();
    // SAFETY: a format for two strings, and two strings.
    unsafe {
        zend_throw_error(
            null_mut(),
            c"Cannot directly construct %s, use %s instead".as_ptr(),
            raise::text(&class_name(object)).as_ptr(),
            instead.as_ptr().cast::<c_char>(),
        );
    }
    null_mut()
}

/// Gives a class that was just registered its object layout and behaviour.
pub fn adopt<T: Native>(entry: &mut zend_class_entry) {
    // SAFETY: the engine's own handlers are complete before any module starts.
    let mut handlers = unsafe { std::ptr::read(&raw const std_object_handlers) };
    handlers.offset = offset_of!(Object<T>, std) as c_int;
    handlers.free_obj = Some(free::<T>);
    handlers.clone_obj = T::CLONEABLE.then_some(clone::<T> as _);
    handlers.get_gc = Some(get_gc::<T>);
    handlers.get_debug_info = Some(debug_info::<T>);
    if T::INSTEAD_OF_NEW.is_some() {
        handlers.get_constructor = Some(no_constructor::<T>);
    }
    if T::LAZY {
        lazy::adopt::<T>(&mut handlers);
    }
    if !T::COMPARABLE {
        handlers.compare = Some(zend_objects_not_comparable);
    }
    if !T::SERIALIZABLE {
        entry.ce_flags |= ZEND_ACC_NOT_SERIALIZABLE;
    }
    entry.__bindgen_anon_2.create_object = Some(create::<T>);
    // Objects may outlive the module by a moment, so the handlers stay.
    T::class()
        .handlers
        .store(Box::leak(Box::new(handlers)), Relaxed);
    T::class().set_entry(entry);
}
