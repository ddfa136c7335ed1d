//! Android version and manufacturer of a dump: known leaks depend on both.

use crate::android::android_heap::{AndroidHeap, number};

/// Device data of a dump; empty if its contents were stripped.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Device {
    /// `Build.VERSION.SDK_INT`
    pub api: Option<i64>,
    /// `Build.MANUFACTURER`
    pub manufacturer: Option<String>,
    /// `Build.ID`
    pub build: Option<String>,
}

impl Device {
    /// Reads the device data; values given by the user take precedence.
    pub(in crate::android) fn of(phone: &AndroidHeap<'_>, stated: &Self) -> Self {
        let text = |name: &str| phone.text_of(phone.static_field("android.os.Build", name)?.object()?);
        let api = || number(phone.static_field("android.os.Build$VERSION", "SDK_INT")?);
        Self {
            api: stated.api.or_else(api),
            manufacturer: stated.manufacturer.clone().or_else(|| text("MANUFACTURER")),
            build: stated.build.clone().or_else(|| text("ID")),
        }
    }
}
