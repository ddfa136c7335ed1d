//! Checksums inside of tokens.

/// CRC-32 of IEEE 802.3. Tokens are short: a table would be longer than the time it saves.
fn crc32(bytes: &[u8]) -> u32 {
    let step = |crc: u32, _: u32| if crc & 1 == 1 { crc >> 1 ^ 0xedb8_8320 } else { crc >> 1 };
    !bytes.iter().fold(!0, |crc, &byte| (0..8).fold(crc ^ u32::from(byte), step))
}

const BASE62: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// GitHub and npm: behind the prefix are 30 letters and digits, then their CRC-32 in base 62.
pub(super) fn is_crc62(token: &str) -> bool {
    let Some((_, body)) = token.split_once('_') else { return false };
    let Some((random, sum)) = body.len().checked_sub(6).and_then(|at| body.split_at_checked(at)) else { return false };
    let value = sum.bytes().try_fold(0_u64, |value, byte| {
        let digit = BASE62.iter().position(|&digit| digit == byte)?;
        Some(value * 62 + digit as u64)
    });
    value == Some(u64::from(crc32(random.as_bytes())))
}

/// Grafana: the CRC-32 of all before the last underscore, in hexadecimal.
pub(super) fn is_crc_hex(token: &str) -> bool {
    let parts = token.rsplit_once('_');
    parts.is_some_and(|(before, sum)| u32::from_str_radix(sum, 16) == Ok(crc32(before.as_bytes())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checksums_are_those_of_the_services() {
        assert_eq!(crc32(b"123456789"), 0xcbf4_3926);
        let digits = |mut value: u32| {
            let mut text = Vec::new();
            for _ in 0..6 {
                text.insert(0, BASE62[(value % 62) as usize]);
                value /= 62;
            }
            String::from_utf8(text).expect("ASCII")
        };
        let random = "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5";
        let token = format!("x_{random}{}", digits(crc32(random.as_bytes())));
        assert!(is_crc62(&token));
        assert!(!is_crc62(&token.replace('a', "b")) && !is_crc62("x_") && !is_crc62("x"));
        let sum = format!("{:08x}", crc32(b"x_abc"));
        assert!(is_crc_hex(&format!("x_abc_{sum}")) && !is_crc_hex(&format!("x_abd_{sum}")));
    }
}
