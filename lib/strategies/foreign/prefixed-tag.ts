import { tagEnd } from '../scan/tags'
import * as Char from '../text/char'
import { isSpace } from '../text/characters'
import type { Source } from '../text/source'

export interface PrefixedTag {
  /** The name without its prefix, in lower case: `invoke` of `<ns:invoke …>` and of `<｜DSML｜invoke …>`. */
  readonly local: string
  readonly prefix: string
  /** Prefix and name as they stand in the tag. */
  readonly written: string
  readonly attributes: string
  readonly end: number
}

const MAX_NAME = 64
const MAX_TAG = 1000
/** A namespace with its colon, or a mark between bars. */
const NAME = /^((?:[\w.-]{1,32}:|[|｜‖]{1,2}[\w.-]{1,32}[|｜‖]{1,2})?)([a-z_]{1,32})$/i

/** The tag at `i` whose name may have a prefix; null when none with a name of this kind stands there. */
export function readPrefixedTag(source: Source, i: number, closing: boolean): PrefixedTag | null {
  if (source.at(i) !== Char.LESS) return null
  let from = source.skipBlanks(i + 1)
  if (closing) {
    if (source.at(from) !== Char.SLASH) return null
    from = source.skipBlanks(from + 1)
  }
  if (from - i > 12) return null
  let after = from
  while (isNameUnit(source.at(after)) && after - from <= MAX_NAME) after++
  const written = source.text.slice(from, after)
  const found = NAME.exec(written)
  const end = found ? tagEnd(source, after, MAX_TAG) : null
  if (!found || end === null) return null
  const [, prefix = '', local = ''] = found
  return { local: local.toLowerCase(), prefix, written, attributes: source.text.slice(after, end - 1), end }
}

/** Ends names: white space, brackets, quotes, `=`, `/`. */
const isNameUnit = (unit: number): boolean =>
  unit > 0 && !isSpace(unit) && !'<>="\'/{}'.includes(String.fromCharCode(unit))
