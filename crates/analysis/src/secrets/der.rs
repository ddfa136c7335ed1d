//! Private keys in the Distinguished Encoding Rules of ASN.1 (X.690), as byte arrays hold them.

const INTEGER: u8 = 0x02;
const OCTETS: u8 = 0x04;
const IDENTIFIER: u8 = 0x06;
const SEQUENCE: u8 = 0x30;
const PARAMETERS: u8 = 0xa0;
/// Length of the shortest private key, of 32 bytes, with its headers.
const SHORTEST: usize = 40;
/// Length of the shortest number of an RSA key in bytes, and how many follow the version.
const RSA: (usize, usize) = (32, 5);

/// First element: its tag, its content, and what follows.
fn element(bytes: &[u8]) -> Option<(u8, &[u8], &[u8])> {
    let (&tag, rest) = bytes.split_first()?;
    let (&first, rest) = rest.split_first()?;
    let (length, rest) = match first {
        0..=0x7f => (usize::from(first), rest),
        0x81..=0x83 => {
            let (digits, rest) = rest.split_at_checked(usize::from(first & 0x7f))?;
            (digits.iter().fold(0, |length, &digit| length << 8 | usize::from(digit)), rest)
        }
        _ => return None,
    };
    let (content, rest) = rest.split_at_checked(length)?;
    Some((tag, content, rest))
}

/// Type of a private key, in the words of PEM; `None` for anything else, such as certificates and public keys. Bytes may
/// follow the key: unused room of a buffer.
pub(super) fn key_type(bytes: &[u8]) -> Option<&'static str> {
    let (SEQUENCE, body, _) = element(bytes)? else { return None };
    if body.len() < SHORTEST {
        return None;
    }
    let (tag, first, rest) = element(body)?;
    let (next_tag, next, after) = element(rest)?;
    match (tag, first, next_tag) {
        // RFC 5958: version, algorithm, key.
        (INTEGER, [0 | 1], SEQUENCE) => {
            let is_algorithm = matches!(element(next)?, (IDENTIFIER, ..));
            let (OCTETS, key, _) = element(after)? else { return None };
            (is_algorithm && key.len() >= 32).then_some("PRIVATE KEY")
        }
        // RFC 8017: version, modulus, exponents, primes.
        (INTEGER, [0 | 1], INTEGER) if next.len() >= RSA.0 => {
            let mut rest = after;
            for _ in 0..RSA.1 {
                let (INTEGER, _, more) = element(rest)? else { return None };
                rest = more;
            }
            Some("RSA PRIVATE KEY")
        }
        // RFC 5915: version, key, parameters.
        (INTEGER, [1], OCTETS) if (16..=80).contains(&next.len()) => {
            matches!(element(after)?, (PARAMETERS..=0xa1, ..)).then_some("EC PRIVATE KEY")
        }
        // RFC 5958, section 3: an algorithm with its parameters (PKCS #5 or #12), and the encrypted key.
        (SEQUENCE, _, OCTETS) => {
            let (IDENTIFIER, algorithm, _) = element(first)? else { return None };
            let is_encryption =
                [&[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 5][..], &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 12]];
            let is_encryption = is_encryption.iter().any(|prefix| algorithm.starts_with(prefix));
            (is_encryption && next.len() >= 32).then_some("ENCRYPTED PRIVATE KEY")
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wrap(tag: u8, parts: &[Vec<u8>]) -> Vec<u8> {
        let content = parts.concat();
        let mut bytes = vec![tag, 0x82, (content.len() >> 8) as u8, content.len() as u8];
        bytes.extend(content);
        bytes
    }

    #[test]
    fn public_keys_are_no_private_keys() {
        let version = |number: u8| vec![INTEGER, 1, number];
        let algorithm = wrap(SEQUENCE, &[vec![IDENTIFIER, 3, 0x2b, 0x65, 0x70]]);
        let long = |tag: u8| wrap(tag, &[vec![7; 64]]);
        let pkcs8 = wrap(SEQUENCE, &[version(0), algorithm.clone(), long(OCTETS)]);
        assert_eq!(key_type(&pkcs8), Some("PRIVATE KEY"));
        assert_eq!(key_type(&[&pkcs8[..], &[0; 9]].concat()), Some("PRIVATE KEY"), "unused room follows");
        let mut rsa = vec![version(0)];
        rsa.extend((0..8).map(|_| long(INTEGER)));
        assert_eq!(key_type(&wrap(SEQUENCE, &rsa)), Some("RSA PRIVATE KEY"));
        let curve = wrap(PARAMETERS, &[vec![IDENTIFIER, 1, 1]]);
        assert_eq!(key_type(&wrap(SEQUENCE, &[version(1), long(OCTETS), curve])), Some("EC PRIVATE KEY"));
        let public = wrap(SEQUENCE, &[algorithm, long(0x03)]);
        assert_eq!(key_type(&public), None);
        assert_eq!(key_type(&wrap(SEQUENCE, &[long(INTEGER), version(3)])), None, "modulus and exponent alone");
        for cut in 0..pkcs8.len() {
            let _no_panic = key_type(&pkcs8[..cut]);
        }
        assert_eq!(key_type(&[SEQUENCE, 0x83, 0xff, 0xff, 0xff]), None);
    }
}
