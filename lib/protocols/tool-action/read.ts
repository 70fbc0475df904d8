import { callPart } from '../arguments/call-part'
import { isPlaceholder } from '../arguments/write-json'
import {
  type Breakage,
  type Dialect,
  type Outcome,
  type Part,
  type ReadContext,
  finishCall,
} from '../arguments/dialect'
import { entryFor } from '../json-repair/node'
import { readJson } from '../json-repair/read-json'
import { structureFollows } from '../scan/json-tail'
import { readTag } from '../scan/tags'
import type { RepairCode } from '../types/segment'
import * as Char from '../text/source'
import { Source } from '../text/source'
import { CollectedArguments, type Cut } from './argument-values'
import { readElement } from './element'
import { elementBefore, opensAction, readOpeningTag, readWrongCloser, TAG, type OpeningTag } from './markup'
import { readMark } from '../scan/reasoning'

/** Elements end with a tag of their own: the text after the last one is open. */
const openValue = (text: string): number => Math.max(text.lastIndexOf('/>'), lastOtherCloser(text), 0)

/** The last closing tag that does not close reasoning. */
function lastOtherCloser(text: string): number {
  for (let at = text.length; at > 0;) {
    at = text.lastIndexOf('</', at - 1)
    if (at < 0 || !readMark(new Source(text.slice(at, at + 80), true), 0, true)) return at
  }
  return -1
}

/*
 * <tool_action name="read_file"> <path value="/a" /> <content>a long text</content> </tool_action>
 *
 * An element's name is the parameter's. Values are text: entities are decoded once, CDATA is literal, and the following
 * text decides whether unescaped quotes and angle brackets are markup. Calls do not nest, and an unclosed call never
 * runs.
 */
export const toolActionDialect: Dialect = {
  id: 'Tool_Action',
  triggers: '<',
  // The fast path: the dialect is skipped where this does not occur.
  starts: [`<${TAG}`],
  traces: { opener: /tool_action/i, closer: /<\/\s*[a-z]|\]\]>/i, outerEnd: leavesElementEnd },
  fences: [],
  openValue,
  read: (source, start, context) => new ActionReader(source, start, context).read(),
}

/**
 * Whether a text contains the end of a parameter, directly followed by the end of its call, that began before the text.
 */
function leavesElementEnd(text: string): boolean {
  return /(?:\/>|["}\]]|<\/[\w.-]{1,64}\s{0,8}>)\s{0,80}<\/\s{0,8}tool_action(?![\w-])/i.test(text)
}

const unclosed = ({ wrongCloser = '' }: Cut): string =>
  `the value ends in </${wrongCloser}>, which does not close its parameter`

/** The position of the reader in a call. */
type DetectorState = 'NORMAL' | 'TAG_OPENING' | 'TAG_CONTENT' | 'TAG_CLOSING'

class ActionReader {
  private readonly source: Source
  private readonly start: number
  private readonly context: ReadContext
  private readonly repairs = new Set<RepairCode>()
  private state: DetectorState = 'NORMAL'
  private pos: number
  private name = ''
  private ownId: string | null = null
  private collected: CollectedArguments
  private outcome: Outcome | null = null

  constructor(source: Source, start: number, context: ReadContext) {
    this.source = source
    this.start = start
    this.pos = start
    this.context = context
    this.collected = new CollectedArguments(null)
  }

  read(): Outcome | null {
    if (!opensAction(this.source, this.start)) return null
    this.source.certain = { start: this.start, name: null }
    this.state = 'TAG_OPENING'
    while (this.state !== 'NORMAL') {
      if (this.state === 'TAG_OPENING') this.state = this.opening()
      else if (this.state === 'TAG_CONTENT') this.state = this.content()
      else this.state = this.closing()
    }
    return this.outcome
  }

  private opening(): DetectorState {
    const { source, start, context } = this
    const tag = readOpeningTag(source, start)
    if (!tag) {
      // Cut off inside its own tag, after a name had begun: certainly meant as a call.
      const cut =
        source.final && source.starved && /^<tool_action\s+name\s*=/i.test(source.text.slice(start, start + 80))
      return cut ? this.breakOff('truncated', source.text.length, 'the opening tag is not complete') : 'NORMAL'
    }
    const name = tag.attributes.get('name')
    if (!name || name.text.trim() === '') return 'NORMAL'
    this.name = name.text
    source.certain = { start, name: this.name, until: `</${TAG}`.toUpperCase() }
    this.pos = tag.end
    const spec = context.tools.match(this.name)?.spec
    this.collected = new CollectedArguments(spec?.parameters ?? null)
    if (tag.otherCase) this.repairs.add('tag-case')
    this.readAttributes(tag)
    if (isPlaceholder(name.text) && !name.literal)
      return this.breakOff('placeholder', tag.end, 'the name is a placeholder', this.recover(tag.end))
    return tag.selfClosing ? 'TAG_CLOSING' : 'TAG_CONTENT'
  }

  /** Parameters as attributes of the call itself, if each is known. */
  private readAttributes(tag: OpeningTag): void {
    const id = tag.attributes.get('id')?.text ?? ''
    if (id !== '' && id.length <= 128) this.ownId = id
    const rest = [...tag.attributes].filter(([key]) => key !== 'name' && key !== 'id')
    if (rest.length === 0) return
    const known = rest.every(([key]) => this.collected.isParameter?.(key))
    this.repairs.add(known ? 'flattened-arguments' : 'tag-attributes')
    if (known) for (const [key, value] of rest) this.collected.add(key, null, value)
  }

  /** Reads the next parameter, or the end of the call. */
  private content(): DetectorState {
    const { source } = this
    const i = source.skipSpace(this.pos)
    const unit = source.at(i)
    if (unit < 0) return this.breakOff('truncated', i, 'the closing tag is missing', i)
    if (unit === Char.OPEN_BRACE && this.collected.empty) return this.jsonBody(i)
    if (unit !== Char.LESS) return this.loose(i)
    if (source.has(i, '<!--')) {
      const end = source.find('-->', i + 4)
      if (end < 0) return this.breakOff('truncated', i, 'a comment is not closed', source.text.length)
      this.repairs.add('comment')
      this.pos = end + 3
      return 'TAG_CONTENT'
    }
    const closer = readTag(source, i, TAG, true)
    if (closer) {
      if (closer.otherCase) this.repairs.add('tag-case')
      this.pos = closer.end
      return 'TAG_CLOSING'
    }
    if (opensAction(source, i)) {
      if (this.collected.empty) return this.breakOff('truncated', i, 'the closing tag is missing', i)
      this.repairs.add('missing-closer')
      return 'TAG_CLOSING'
    }
    const other = this.collected.empty ? null : readWrongCloser(source, i)
    if (other !== null) {
      this.repairs.add('wrong-closer')
      this.pos = other
      return 'TAG_CLOSING'
    }
    const element = readElement(source, i, this.collected)
    if (!element)
      return source.starved
        ? this.breakOff('truncated', i, 'an element is not complete', source.text.length)
        : this.loose(i)
    if ('cut' in element)
      return element.wrongCloser === undefined
        ? this.breakOff('truncated', element.cut, 'a value is not closed', Math.max(element.cut, i))
        : this.breakOff('bad-arguments', element.cut, unclosed(element), this.recover(element.cut))
    for (const code of element.repairs) this.repairs.add(code)
    this.collected.add(element.tag, element.name, element.value)
    this.pos = element.end
    return 'TAG_CONTENT'
  }

  private closing(): DetectorState {
    const { collected, source, context, name, ownId } = this
    if (collected.placeholder !== null)
      return this.breakOff('placeholder', this.pos, `${collected.placeholder} still holds a placeholder`, this.pos)
    const call = finishCall(
      {
        ownId,
        name,
        arguments: collected.values,
        repairs: [...this.repairs, ...collected.repairs],
        coercions: collected.coercions,
      },
      context.tools,
    )
    source.certain = { start: this.start, name: call.name }
    return this.finish({ kind: 'call', start: this.start, end: this.pos, call })
  }

  /** Reads the arguments as a JSON object between the tags. */
  private jsonBody(i: number): DetectorState {
    const { source, context, start } = this
    const reading = readJson(source, i, {
      shape: context.tools.callShape.child('arguments', this.name),
      isStop: (at) => {
        const closer = readTag(source, at, TAG, true)
        return closer !== null && !structureFollows(source, closer.end, opensAction)
      },
      mayFollow: (at) => readTag(source, at, TAG, true) !== null,
      cutBefore: (quote) => elementBefore(source, quote),
    })
    const closer = reading.failure ? null : readTag(source, source.skipSpace(reading.end), TAG, true)
    if (reading.failure || reading.node?.kind !== 'object' || !closer) {
      const cut = !reading.failure || reading.failure.reason === 'truncated'
      return this.breakOff(cut ? 'truncated' : 'bad-json', reading.end, 'the body is not complete', this.recover(i))
    }
    const repairs = new Set<RepairCode>([...this.repairs, 'json-body', ...reading.repairs.map((one) => one.code)])
    const name = { kind: 'string', start, end: i, value: this.name, escaped: true, closed: true } as const
    const node = {
      ...reading.node,
      entries: [entryFor('name', name), entryFor('arguments', reading.node)],
    }
    this.pos = closer.end
    return this.finish(callPart(node, start, closer.end, repairs, context.tools, reading))
  }

  /** Other text between the elements: a mention of the tag if nothing else follows, else a broken call. */
  private loose(i: number): DetectorState {
    const closer = this.closerAfter(i)
    if (closer !== null) return this.breakOff('bad-arguments', i, 'loose text stands between the parameters', closer)
    return this.collected.empty ? 'NORMAL' : this.breakOff('truncated', i, 'the closing tag is missing', this.pos)
  }

  private breakOff(
    reason: Breakage['reason'],
    at: number,
    detail: string,
    end = this.source.text.length,
  ): DetectorState {
    const name = this.name === '' ? {} : { name: this.name }
    return this.finish({
      kind: 'broken',
      start: this.start,
      end,
      breakage: { reason, at: Math.min(at, end), detail, ...name },
    })
  }

  private finish(part: Part): DetectorState {
    this.outcome = { kind: 'parts', end: part.end, parts: [part] }
    return 'NORMAL'
  }

  /** Where a damaged call ends: at its closing tag, the next call or the end of the text. */
  private recover(from: number): number {
    const closer = this.closerAfter(from)
    if (closer !== null) return closer
    for (let i = from; ; i++) {
      i = this.source.find('<', i)
      if (i < 0) return this.source.text.length
      if (opensAction(this.source, i)) return i
    }
  }

  /** The end of the closing tag that comes before any other call, or null. */
  private closerAfter(from: number): number | null {
    const { source } = this
    for (let i = from; ; i++) {
      i = source.find('<', i)
      if (i < 0 || opensAction(source, i)) return null
      const closer = readTag(source, i, TAG, true)
      if (closer) return closer.end
    }
  }
}
