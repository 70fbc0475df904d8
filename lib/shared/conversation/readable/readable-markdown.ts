import type { JsonObject, JsonValue } from '@/lib/base/json'
import { formatMoment } from '@/lib/base/text/locale'
import { t } from '@/lib/i18n/t'
import type {
  ReadableCall,
  ReadableChat,
  ReadableFile,
  ReadableInnerCall,
  ReadableMessage,
  ReadablePart,
  ReadableReply,
} from './readable-chat'
import { isBlank } from '@/lib/base/text/characters'

/**
 * A chat as one Markdown document: a heading per message, calls and results as blocks of code, reasoning folded. Hidden
 * parts (`onlyShown`) are left out. In the reader's language.
 */
export function readableMarkdown(chat: ReadableChat, writtenAt: number): string {
  const title = oneLine(chat.title) || t('readable.untitled')
  const count = chat.messages.length
  const head = [`# ${escaped(title)}`, `_${t('readable.about', { count, at: writtenAt })}_`]
  if (chat.systemPrompt !== null) {
    head.push(`## ${t('readable.system')}`, fenced(chat.systemPrompt, 'text'))
  }
  return `${[...head, ...chat.messages.flatMap(messageBlocks)].join('\n\n')}\n`
}

function messageBlocks(message: ReadableMessage): readonly string[] {
  const when = formatMoment(message.at)
  if (message.by === 'person') {
    const heading = `## ${t('readable.person')} · ${when}`
    return [heading, ...(message.text === '' ? [] : [message.text]), ...message.files.map(fileMarkdown)]
  }
  const name = message.model === '' ? t('readable.model') : t('readable.model-named', { model: oneLine(message.model) })
  const ended = readableEnd(message)
  return [
    `## ${escaped(name)} · ${when}`,
    ...message.parts.map(partMarkdown),
    ...(ended === null ? [] : [`_${ended}_`]),
  ]
}

/** A part of a reply in Markdown. */
export function partMarkdown(part: ReadablePart): string {
  switch (part.kind) {
    case 'text':
      return part.text
    case 'thought':
      // Its closing tag must not occur in it.
      return [
        `<details><summary>${t('readable.thought')}</summary>`,
        part.text.replaceAll(/<(?=\/?(?:details|summary)\b)/gi, '&lt;'),
        '</details>',
      ].join('\n\n')
    case 'call':
      return callMarkdown(part)
  }
}

function callMarkdown(call: ReadableCall): string {
  const name = call.tool === '' ? t('readable.call-unnamed') : t('readable.call', { tool: codeSpan(call.tool) })
  const blocks = [`**${name}** · ${readableState(call, codeSpan)}`]
  if (call.written !== null) blocks.push(fenced(call.written, 'text'))
  if (call.arguments !== null) blocks.push(...argumentBlocks(call.arguments))
  if (call.result) {
    blocks.push(`${t('readable.result')}:`, valueBlock(call.result.value))
    for (const { kind, data, name: called } of call.result.displays) {
      // An image or a sound as text would be pages of characters.
      const about = t('readable.displayed', { kind: called ?? kind })
      blocks.push(
        ['image', 'audio'].includes(kind)
          ? `_${escaped(oneLine(about))}_`
          : `${escaped(oneLine(about))}\n\n${fenced(data, languageOf(kind))}`,
      )
    }
  }
  blocks.push(...(call.inner ?? []).flatMap(innerBlocks))
  return blocks.join('\n\n')
}

/** A call that code or a page made: its result is part of what that made of it. */
const innerBlocks = ({ tool, asked, arguments: args, ...how }: ReadableInnerCall): readonly string[] => [
  `**${t('readable.inner', { tool: codeSpan(tool), asked })}** · ${innerState(how)}`,
  ...(args === null ? [] : argumentBlocks(args)),
]

/** "done, approved by the reviewer Ada", with the name as `quoted` writes it. */
export function readableState(
  { state, reviewer }: Pick<ReadableCall, 'state' | 'reviewer'>,
  quoted: (name: string) => string,
): string {
  const words = t(`readable.state.${state}`)
  const name = reviewer === undefined ? null : quoted(reviewer)
  return name === null ? words : t('readable.reviewer', { state: words, decision: state, name })
}

/** "done, approved by a click". */
export const innerState = ({ state, approved }: Pick<ReadableInnerCall, 'state' | 'approved'>): string =>
  t('readable.inner-state', { state: t(`readable.state.${state}`), approved: approved ?? 'null' })

const languageOf = (kind: string): string => (['html', 'svg', 'json'].includes(kind) ? kind : 'text')

/** Multi-line texts are shown unchanged; the rest as JSON. */
function argumentBlocks(args: JsonObject): readonly string[] {
  const entries = Object.entries(args)
  const isLong = (value: JsonValue): value is string => typeof value === 'string' && value.includes('\n')
  const short = entries.filter(([, value]) => !isLong(value))
  return [
    ...(short.length > 0 || entries.length === 0 ? [valueBlock(Object.fromEntries(short))] : []),
    ...entries.flatMap(([name, value]) =>
      isLong(value) ? [`${t('readable.argument', { name: codeSpan(name) })}:\n\n${fenced(value, 'text')}`] : [],
    ),
  ]
}

const valueBlock = (value: JsonValue): string =>
  typeof value === 'string' ? fenced(value, 'text') : fenced(JSON.stringify(value, null, 2), 'json')

/** A file of a message in Markdown. */
function fileMarkdown({ name, size, head }: ReadableFile): string {
  return fileText({ name: codeSpan(name), size, head })
}

/** The same for a message of the user, whose text is not read as Markdown. */
export function fileText({ name, size, head }: Pick<ReadableFile, 'name' | 'size' | 'head'>): string {
  const called = oneLine(name)
  if (head === null) return t('readable.file', { name: called, size })
  return `${t('readable.file-head', { name: called, size })}\n\n${fenced(head, 'text')}`
}

/** A block of code that nothing in it can end. */
export function fenced(text: string, language: string): string {
  const longest = Math.max(2, ...Array.from(text.matchAll(/`+/g), ([run]) => run.length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}${language}\n${text.replace(/\n$/, '')}\n${fence}`
}

const codeSpan = (text: string): string => {
  const line = oneLine(text)
  return line.includes('`') ? `\`\` ${line} \`\`` : `\`${line}\``
}
const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()
/** Escapes the text of a heading. */
const escaped = (text: string): string => text.replaceAll(/[\\`*_[\]<>#|]/g, (mark) => `\\${mark}`)

/** How a reply ended, as a sentence; null if it ended well with an answer, or was still being written. */
export function readableEnd({ ended, parts }: Pick<ReadableReply, 'ended' | 'parts'>): string | null {
  if (ended === null) return null
  if (ended !== 'finished') return t(`readable.ended.${ended}`)
  if (parts.some((part) => part.kind === 'call' || (part.kind === 'text' && !isBlank(part.text)))) return null
  // If reasoning is hidden, the sentence does not say whether there was any.
  return t('readable.ended.empty', { thought: parts.some(({ kind }) => kind === 'thought') })
}
