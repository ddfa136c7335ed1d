//! macOS: the Apple events "open documents" and "get URL".
//!
//! AppKit passes them to the delegate of the application. winit 0.30 sets one of its own, which ignores them, and panics if
//! it is replaced, although its documentation says otherwise (its issue 4458). So the events are taken before they reach
//! the delegate: a handler installed before the application has finished launching replaces that of AppKit, and the
//! events of the start come after that (Cocoa Scripting Guide, "How Cocoa Applications Handle Apple Events").
#![expect(unsafe_code, reason = "methods of Objective-C objects, which the compiler cannot check")]

use std::path::PathBuf;
use std::sync::mpsc::Sender;

use objc2::rc::Retained;
use objc2::runtime::{AnyObject, NSObject};
use objc2::{DefinedClass, MainThreadMarker, MainThreadOnly, define_class, msg_send, sel};
use objc2_app_kit::NSApplicationWillFinishLaunchingNotification;
use objc2_foundation::{
    NSAppleEventDescriptor, NSAppleEventManager, NSDictionary, NSNotification, NSNotificationCenter, NSUserDefaults,
    ns_string,
};

use super::request::DocumentRequest;

/// `kCoreEventClass` and `kAEOpenDocuments`, in `AE/AppleEvents.h`.
const OPEN_DOCUMENTS: (u32, u32) = (u32::from_be_bytes(*b"aevt"), u32::from_be_bytes(*b"odoc"));
/// `kInternetEventClass` and `kAEGetURL`, in `AE/AEUserTermTypes.h`.
const GET_URL: (u32, u32) = (u32::from_be_bytes(*b"GURL"), u32::from_be_bytes(*b"GURL"));
/// `keyDirectObject`: the parameter with the documents, or the link.
const DIRECT_OBJECT: u32 = u32::from_be_bytes(*b"----");

/// `typeAEList`, in `AE/AEDataModel.h`.
const LIST: u32 = u32::from_be_bytes(*b"list");

define_class!(
    // SAFETY: `NSObject` asks nothing of classes below it, and this one has no `Drop`.
    #[unsafe(super(NSObject))]
    #[thread_kind = MainThreadOnly]
    #[ivars = Sender<DocumentRequest>]
    struct Handler;

    impl Handler {
        #[unsafe(method(willFinishLaunching:))]
        fn will_finish_launching(&self, _notice: &NSNotification) {
            self.take_events();
        }

        #[unsafe(method(openDocuments:withReply:))]
        fn open_documents(&self, event: &NSAppleEventDescriptor, _reply: &NSAppleEventDescriptor) {
            self.request(DocumentRequest { paths: paths(event), links: Vec::new() });
        }

        #[unsafe(method(getURL:withReply:))]
        fn get_url(&self, event: &NSAppleEventDescriptor, _reply: &NSAppleEventDescriptor) {
            let link = direct_object(event).and_then(|link| link.stringValue());
            let links = link.iter().map(ToString::to_string).collect();
            self.request(DocumentRequest { paths: Vec::new(), links });
        }
    }
);

pub(super) fn expect(requests: Sender<DocumentRequest>) {
    let Some(main_thread) = MainThreadMarker::new() else { return };
    let handler = Handler::alloc(main_thread).set_ivars(requests);
    // SAFETY: `init` of `NSObject` takes nothing and returns the object.
    let handler: Retained<Handler> = unsafe { msg_send![super(handler), init] };
    // AppKit would open the arguments of the command line a second time.
    let defaults =
        NSDictionary::from_slices(&[ns_string!("NSTreatUnknownArgumentsAsOpen")], &[ns_string!("NO") as &AnyObject]);
    // SAFETY: all keys are strings, and the values are those of a property list.
    unsafe { NSUserDefaults::standardUserDefaults().registerDefaults(&defaults) };
    let center = NSNotificationCenter::defaultCenter();
    // SAFETY: the handler has this method, which takes the notice; it is not freed, since neither the centre nor the
    // manager of events retains it.
    unsafe {
        let notice = Some(NSApplicationWillFinishLaunchingNotification);
        center.addObserver_selector_name_object(&handler, sel!(willFinishLaunching:), notice, None);
    }
    let _for_ever = Retained::into_raw(handler);
}

impl Handler {
    /// Replaces the handlers of AppKit.
    fn take_events(&self) {
        let manager = NSAppleEventManager::sharedAppleEventManager();
        for (method, (class, id)) in
            [(sel!(openDocuments:withReply:), OPEN_DOCUMENTS), (sel!(getURL:withReply:), GET_URL)]
        {
            // SAFETY: the handler lives for ever and has both methods, which take an event and its reply. Class and
            // number of an event are numbers of 32 bits.
            unsafe {
                let () = msg_send![&manager, setEventHandler: self, andSelector: method, forEventClass: class, andEventID: id];
            }
        }
    }

    fn request(&self, request: DocumentRequest) {
        // The window may be closing; then the receiver is gone.
        let _unwanted = self.ivars().send(request);
    }
}

fn direct_object(event: &NSAppleEventDescriptor) -> Option<Retained<NSAppleEventDescriptor>> {
    // SAFETY: the key is a number of 32 bits; the result is a descriptor, or nil.
    unsafe { msg_send![event, paramDescriptorForKeyword: DIRECT_OBJECT] }
}

/// Paths of the documents: a list, counted from 1. A single one becomes a list, too.
fn paths(event: &NSAppleEventDescriptor) -> Vec<PathBuf> {
    let list = direct_object(event).and_then(|documents| {
        // SAFETY: the type is a number of 32 bits; the result is a descriptor, or nil.
        let list: Option<Retained<NSAppleEventDescriptor>> =
            unsafe { msg_send![&documents, coerceToDescriptorType: LIST] };
        list
    });
    let Some(list) = list else { return Vec::new() };
    let documents = (1..=list.numberOfItems()).filter_map(|at| list.descriptorAtIndex(at));
    documents.filter_map(|document| document.fileURLValue()?.to_file_path()).collect()
}
