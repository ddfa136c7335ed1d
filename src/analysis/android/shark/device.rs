//! Which Android a dump is from: known leaks are those of versions and manufacturers.

use crate::analysis::android::phone::{Phone, number};

/// What a dump says of the device; nothing where its contents were stripped.
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
    /// As the dump says; what the user says counts more.
    pub(in crate::analysis::android) fn of(phone: &Phone<'_>, said: &Self) -> Self {
        let text = |name: &str| phone.text_of(phone.static_field("android.os.Build", name)?.object()?);
        let api = || number(phone.static_field("android.os.Build$VERSION", "SDK_INT")?);
        Self {
            api: said.api.or_else(api),
            manufacturer: said.manufacturer.clone().or_else(|| text("MANUFACTURER")),
            build: said.build.clone().or_else(|| text("ID")),
        }
    }
}
