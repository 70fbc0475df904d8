const asciiOnly = /^[\u0020-\u007e]*$/

/** What stands between blanks, brackets and quotes. Nothing here looks further than that: a text is gone through once. */
const piece = /[^\s<>"'()[\]{}]+/gu
/** No address is longer where it names its host. */
const MAX_ADDRESS = 300
/** A host, as far as its letters go, that ends as hosts do. */
const host = /^(?:[\p{L}\p{M}\p{N}_-]+\.)+[a-z]{2,24}(?![\p{L}\p{M}\p{N}_])/iu

/** Addresses in prose: with a scheme, of mail, or a host. */
export function* addressesIn(text: string): Generator<{ readonly index: number; readonly address: string }> {
  for (const { 0: found, index } of text.matchAll(piece)) {
    if (asciiOnly.test(found)) continue
    const address = found.slice(0, MAX_ADDRESS)
    const isAddress =
      address.includes('://') ||
      /^www\./i.test(address) ||
      (address.includes('.') && (address.includes('@') || host.test(address)))
    if (isAddress) yield { index, address }
  }
}
