//! A program with memory outside of its heap.

use std::fmt::Write;

/// A heap in [notation](crate::notation): `maps.TileCache.tiles` holds `tiles` direct buffers of 1,000,000 bytes.
pub fn tiles(tiles: usize) -> String {
    let mut text = "
    class java.nio.Buffer
      field address: long
      field capacity: int
    class java.nio.DirectByteBuffer extends java.nio.Buffer
      field cleaner: object
      field att: object
    class java.lang.ref.Reference
      field referent: object
    class java.lang.ref.PhantomReference extends java.lang.ref.Reference
    class jdk.internal.ref.Cleaner extends java.lang.ref.PhantomReference
    class maps.Tile
      field pixels: object
    class maps.TileCache
      static tiles: object = tiles
    root maps.TileCache class
    tiles = java.lang.Object[]"
        .to_owned();
    (0..tiles).for_each(|tile| write!(text, " t{tile}").unwrap_or_default());
    text.push('\n');
    for tile in 0..tiles {
        let lines = format!(
            "    t{tile} = maps.Tile pixels=b{tile}
    b{tile} = java.nio.DirectByteBuffer address={} capacity=1000000 cleaner=c{tile}
    c{tile} = jdk.internal.ref.Cleaner referent=b{tile}
    root c{tile} global
",
            (tile + 1) << 24
        );
        text.push_str(&lines);
    }
    text
}
