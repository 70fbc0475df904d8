import type { Dialect, Outcome, ReadContext } from '../arguments/dialect'
import { type Source, isSpace } from '../text/source'
import { attributeOf, OPEN_TAG, valueUntil, type OwnTags, noArguments, putArgument, completeCall } from './elements'
import { tagEnd } from '../scan/tags'
import * as Char from '../text/source'

interface PrefixedTag {
  /** The name without its prefix, in lower case: `invoke` of `<ns:invoke …>` and of `<｜DSML｜invoke …>`. */
  readonly local: string
  readonly prefix: string
  /** Prefix and name as written in the tag. */
  readonly written: string
  readonly attributes: string
  readonly end: number
}

const MAX_NAME = 64
const MAX_TAG = 1000
/** A namespace with its colon, or a mark between bars. */
const NAME = /^((?:[\w.-]{1,32}:|[|｜‖]{1,2}[\w.-]{1,32}[|｜‖]{1,2})?)([a-z_]{1,32})$/i

/** The tag at `i` whose name may have a prefix; null if there is no tag with a name of this kind. */
function readPrefixedTag(source: Source, i: number, closing: boolean): PrefixedTag | null {
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

/** Whether the unit ends a name: white space, brackets, quotes, `=`, `/`. */
const isNameUnit = (unit: number): boolean =>
  unit > 0 && !isSpace(unit) && !'<>="\'/{}'.includes(String.fromCharCode(unit))

/*
 * Calls that are named by an attribute, with any prefix before the tag names:
 *
 *   anthropic   <function_calls><invoke name="x"><parameter name="key">value</parameter></invoke></function_calls>
 *               <ns:function_calls><ns:invoke name="x"><ns:parameter name="key">…
 *               <function name="x"><param name="key">value</param></function>   of known tools (MiniCPM)
 *   deepseek    <｜DSML｜function_calls><｜DSML｜invoke name="x"><｜DSML｜parameter name="key">value</｜DSML｜parameter>…
 */

const GROUPS = new Set(['function_calls', 'tool_calls'])
const NAMES = String.raw`(?:[\w.-]{1,32}:|[|｜‖]{1,2}[\w.-]{1,32}[|｜‖]{1,2})?(parameter|param|invoke|function)`
/** With any prefix; an opening tag has a name attribute. */
const TAGS: OwnTags = {
  openers: new RegExp(String.raw`${OPEN_TAG}${NAMES}\s[^<>]{0,900}?\bname\s{0,9}=`, 'gi'),
  closers: new RegExp(String.raw`<[ \t]?/[ \t]?${NAMES}\s{0,9}>`, 'gi'),
}
const PARAMETERS: Readonly<Record<string, readonly string[]>> = {
  invoke: ['parameter', 'param'],
  function: ['param', 'parameter'],
}

export const invokeDialect: Dialect = {
  id: 'anthropic',
  triggers: '<',
  fences: [],
  read(source, start, context) {
    const first = readPrefixedTag(source, start, false)
    if (!first) return null
    const group = GROUPS.has(first.local) ? first : null
    const open = group ? readPrefixedTag(source, source.skipSpace(group.end), false) : first
    return open && Object.hasOwn(PARAMETERS, open.local) ? readInvoke(source, start, open, context) : null
  },
}

function readInvoke(source: Source, start: number, open: PrefixedTag, context: ReadContext): Outcome | null {
  const name = attributeOf(open.attributes, 'name')
  // `function` is so common that only a known tool makes it a call.
  const common = open.local === 'function'
  if (name === null || name === '' || (common && (open.prefix !== '' || !context.tools.match(name)))) return null
  source.certain = { start, name }
  const words = PARAMETERS[open.local] ?? []
  const isParameter = (i: number): boolean => words.includes(readPrefixedTag(source, i, false)?.local ?? '')
  const closes = (i: number): PrefixedTag | null => {
    const closer = readPrefixedTag(source, i, true)
    return closer?.local === open.local ? closer : null
  }
  const continues = (i: number): boolean => isParameter(i) || closes(i) !== null
  const args = noArguments()
  let i = source.skipSpace(open.end)
  while (isParameter(i)) {
    const parameter = readPrefixedTag(source, i, false)
    const key = parameter ? attributeOf(parameter.attributes, 'name') : null
    if (!parameter || key === null) return null
    const { written, local, end } = parameter
    const value =
      valueUntil(source, end, `</${written}>`, continues, TAGS) ??
      (written === local ? null : valueUntil(source, end, `</${local}>`, continues, TAGS))
    if (!value) return null
    putArgument(args, key, value.text)
    i = source.skipSpace(value.end)
  }
  const closer = closes(i)
  if (!closer) return null
  const outer = readPrefixedTag(source, source.skipSpace(closer.end), true)
  const end = outer && GROUPS.has(outer.local) ? outer.end : closer.end
  const foreignAs = /dsml/i.test(open.prefix) ? 'deepseek' : undefined
  return completeCall(source, start, end, { name, arguments: args }, context, foreignAs)
}
