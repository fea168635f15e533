//! The two account types, in Anchor's layout: discriminator, then the fields in Borsh order.

mod fields;
mod global_config;
mod lobby_config;

pub use global_config::GlobalConfig;
pub use lobby_config::LobbyConfig;
