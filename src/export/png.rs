//! A picture as a PNG file.

/// A picture of `pixels`, red, green, blue and alpha of each, row by row; `None` where there are not as many as its
/// size says.
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
