//! Archives with several files: zip, without compression, and tar.

/// CRC-32 as in zip and gzip, bit by bit.
pub fn crc_32(bytes: &[u8]) -> u32 {
    let bit = |sum: u32, _| if sum & 1 == 1 { sum >> 1 ^ 0xedb8_8320 } else { sum >> 1 };
    !bytes.iter().fold(u32::MAX, |sum, &byte| (0..8).fold(sum ^ u32::from(byte), bit))
}

/// A zip file with these entries, stored.
pub fn zip(entries: &[(&str, &[u8])]) -> Vec<u8> {
    let (mut file, mut directory) = (Vec::new(), Vec::new());
    for (name, bytes) in entries {
        let at = file.len() as u32;
        // Version, flags, method, time, date, checksum, sizes, lengths of the name and of extra fields.
        let mut common = vec![20, 0, 0, 0, 0, 0, 0, 0, 0, 0];
        common.extend(crc_32(bytes).to_le_bytes());
        common.extend((bytes.len() as u32).to_le_bytes());
        common.extend((bytes.len() as u32).to_le_bytes());
        common.extend((name.len() as u16).to_le_bytes());
        common.extend([0; 2]);
        file.extend(b"PK\x03\x04");
        file.extend(&common);
        file.extend(name.as_bytes());
        file.extend(*bytes);
        directory.extend(b"PK\x01\x02\x14\x00");
        directory.extend(&common);
        // Comment, disk, attributes.
        directory.extend([0; 10]);
        directory.extend(at.to_le_bytes());
        directory.extend(name.as_bytes());
    }
    let (at, length, count) = (file.len() as u32, directory.len() as u32, (entries.len() as u16).to_le_bytes());
    file.extend(directory);
    file.extend(b"PK\x05\x06\0\0\0\0");
    file.extend([count, count].concat());
    file.extend(length.to_le_bytes());
    file.extend(at.to_le_bytes());
    file.extend([0; 2]);
    file
}

/// A tar file with these entries.
pub fn tar(entries: &[(&str, &[u8])]) -> Vec<u8> {
    let mut file = Vec::new();
    for (name, bytes) in entries {
        let mut header = [0_u8; 512];
        header[..name.len()].copy_from_slice(name.as_bytes());
        header[100..107].copy_from_slice(b"0000644");
        header[124..136].copy_from_slice(format!("{:011o}\0", bytes.len()).as_bytes());
        header[136..148].copy_from_slice(b"00000000000\0");
        header[148..156].fill(b' ');
        header[156] = b'0';
        header[257..265].copy_from_slice(b"ustar\x0000");
        let sum: u32 = header.iter().map(|&byte| u32::from(byte)).sum();
        header[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
        file.extend(header);
        file.extend(*bytes);
        file.resize(file.len().next_multiple_of(512), 0);
    }
    file.resize(file.len() + 1024, 0);
    file
}
