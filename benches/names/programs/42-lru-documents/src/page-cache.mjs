import { JSDOM } from 'jsdom';
import { LRUCache } from 'lru-cache';

// The limit counts pages, not bytes: a thousand parsed pages are hundreds of megabytes.
const pages = new LRUCache({ max: 1000, ttl: 3600000 });

export function page(address, read) {
    let fragment = pages.get(address);
    if (!fragment) pages.set(address, fragment = JSDOM.fragment(read(address)));
    return fragment;
}
