//! The desktop portal's settings: read once, then listened to.

use std::pin::{Pin, pin};
use std::task::{Context, Poll, Wake, Waker};
use std::{future::poll_fn, sync::Arc, thread::Thread};

use zbus::zvariant::{OwnedValue, Value};
use zbus::{Connection, MatchRule, MessageStream, export::futures_core::Stream};

const PORTAL: &str = "org.freedesktop.portal.Desktop";
const PATH: &str = "/org/freedesktop/portal/desktop";
const SETTINGS: &str = "org.freedesktop.portal.Settings";
const NAMESPACE: &str = "org.freedesktop.appearance";
const KEY: &str = "color-scheme";
/// Maximum number of queued changes.
const WAITING: usize = 8;

/// Reports the number of the colour scheme, and again whenever it changes. Returns without a portal, or when the
/// bus disconnects.
pub(super) fn watch(tell: impl Fn(u32)) -> zbus::Result<()> {
    wait_for(listen(tell))
}

async fn listen(tell: impl Fn(u32)) -> zbus::Result<()> {
    let bus = Connection::session().await?;
    // Subscribed before reading, so that no change is missed.
    let changes = MatchRule::builder()
        .msg_type(zbus::message::Type::Signal)
        .interface(SETTINGS)?
        .member("SettingChanged")?
        .path(PATH)?
        .arg(0, NAMESPACE)?
        .build();
    let mut changes = MessageStream::for_match_rule(changes, &bus, Some(WAITING)).await?;
    let reply = bus.call_method(Some(PORTAL), PATH, Some(SETTINGS), "Read", &(NAMESPACE, KEY)).await?;
    let now: OwnedValue = reply.body().deserialize()?;
    tell(number(&now).unwrap_or_default());
    while let Some(change) = poll_fn(|cx| Pin::new(&mut changes).poll_next(cx)).await {
        let body = change?.body();
        // Other messages are ignored.
        if let Ok((_, key, value)) = body.deserialize::<(&str, &str, Value<'_>)>()
            && key == KEY
            && let Some(number) = number(&value)
        {
            tell(number);
        }
    }
    Ok(())
}

/// Number in a value: old portals nest it once more.
fn number(value: &Value<'_>) -> Option<u32> {
    match value {
        Value::U32(number) => Some(*number),
        Value::Value(inside) => match &**inside {
            Value::U32(number) => Some(*number),
            _ => None,
        },
        _ => None,
    }
}

/// Wakes the waiting thread.
struct ThreadWaker(Thread);

impl Wake for ThreadWaker {
    fn wake(self: Arc<Self>) {
        self.0.unpark();
    }
}

/// Runs a future on this thread.
fn wait_for<F: Future>(future: F) -> F::Output {
    let mut future = pin!(future);
    let waker = Waker::from(Arc::new(ThreadWaker(std::thread::current())));
    let mut context = Context::from_waker(&waker);
    loop {
        match future.as_mut().poll(&mut context) {
            Poll::Ready(output) => return output,
            Poll::Pending => std::thread::park(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_read_at_any_variant_depth() {
        let wrapped = Value::Value(Box::new(Value::U32(2)));
        assert_eq!([Value::U32(1), wrapped, Value::from("dark")].map(|value| number(&value)), [Some(1), Some(2), None]);
    }

    #[test]
    fn blocking_on_a_future_returns_its_value() {
        let (mut polled, began) = (0, std::thread::current());
        let value = wait_for(poll_fn(|context| {
            polled += 1;
            assert_eq!(std::thread::current().id(), began.id());
            context.waker().wake_by_ref();
            if polled < 3 { Poll::Pending } else { Poll::Ready(polled) }
        }));
        assert_eq!(value, 3);
    }
}
