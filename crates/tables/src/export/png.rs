//! PNG encoding and decoding.

/// Encodes `pixels` (red, green, blue and alpha of each, row by row); `None` if their number does not match the size.
pub fn png(width: u32, height: u32, pixels: &[u8]) -> Option<Vec<u8>> {
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, width, height);
    encoder.set_color(png::ColorType::Rgba);
    encoder.set_depth(png::BitDepth::Eight);
    let mut writer = encoder.write_header().ok()?;
    writer.write_image_data(pixels).ok()?;
    writer.finish().ok()?;
    Some(file)
}

/// Decodes a PNG file into its size and RGBA pixels, row by row; `None` if it is not a PNG file, or needs
/// more than `most` bytes.
pub fn read_png(file: &[u8], most: usize) -> Option<(u32, u32, Vec<u8>)> {
    let limits = png::Limits { bytes: most };
    let mut decoder = png::Decoder::new_with_limits(std::io::Cursor::new(file), limits);
    decoder.set_transformations(png::Transformations::normalize_to_color8() | png::Transformations::ALPHA);
    let mut reader = decoder.read_info().ok()?;
    let mut pixels = vec![0; reader.output_buffer_size().filter(|&bytes| bytes <= most)?];
    let frame = reader.next_frame(&mut pixels).ok()?;
    pixels.truncate(frame.buffer_size());
    let pixels = match frame.color_type {
        png::ColorType::Rgba => pixels,
        png::ColorType::GrayscaleAlpha => {
            pixels.as_chunks().0.iter().flat_map(|&[grey, alpha]| [grey, grey, grey, alpha]).collect()
        }
        _ => return None,
    };
    Some((frame.width, frame.height, pixels))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn png_round_trips_within_the_size_limit() {
        let pixels: Vec<u8> = (0..6 * 4).collect();
        let file = png(3, 2, &pixels).expect("a picture");
        assert_eq!(read_png(&file, 1 << 20), Some((3, 2, pixels)));
        assert_eq!(read_png(&file, 8), None, "it takes more");
        assert_eq!(read_png(&file[..40], 1 << 20), None, "it is cut off");
        assert_eq!(read_png(b"no picture", 1 << 20), None);
    }
}
