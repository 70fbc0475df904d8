import { createWriteStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { Writable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { ZipWriter } from '@zip.js/zip.js'

/*
 * An export as ChatGPT writes it, with this many bytes and chats: each chat has a tree with a hidden root, questions,
 * answers of prose, code and Chinese in many lengths, some branches, and some tool output. It is written as it is
 * generated.
 */

const words =
  'the of and model table result question answer because function value error between a to file chart query index list'.split(
    ' ',
  )
const chinese = '浏览器里的对话会一直保留，直到你删除它们。工具的结果在你同意之后才会送出。'
const code = 'export function total(rows) {\n  return rows.reduce((sum, row) => sum + row.amount, 0)\n}\n'

/** A reproducible sequence, from 0 to 1 exclusive. */
function dice(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296
    return state / 4_294_967_296
  }
}

function prose(next: () => number, chars: number): string {
  const parts: string[] = []
  for (let length = 0; length < chars;) {
    const roll = next()
    const part =
      roll < 0.02
        ? `\n\n\`\`\`js\n${code}\`\`\`\n\n`
        : roll < 0.04
          ? chinese
          : `${words[Math.floor(next() * words.length)]} `
    parts.push(part)
    length += part.length
  }
  return parts.join('')
}

function messageOf(next: () => number, role: 'user' | 'assistant' | 'tool', at: number, chars: number) {
  return {
    author: { role, name: role === 'tool' ? 'python' : null, metadata: {} },
    create_time: at,
    content: { content_type: 'text', parts: [prose(next, chars)] },
    status: 'finished_successfully',
    recipient: 'all',
    metadata: role === 'assistant' ? { model_slug: 'gpt-5', finish_details: { type: 'stop' } } : {},
  }
}

/** One chat of about this many characters. */
function chatOf(number: number, chars: number): string {
  const next = dice(number + 1)
  const began = 1_700_000_000 + number * 900
  const mapping: Record<string, object> = {
    root: { id: 'root', message: null, parent: null, children: ['n0'] },
  }
  let parent = 'root'
  let written = 0
  for (let at = 0; written < chars || at < 2; at += 1) {
    const role = at % 8 === 5 ? 'tool' : at % 2 === 0 ? 'user' : 'assistant'
    const length = Math.round((role === 'user' ? 300 : 3_000) * (0.2 + next() * 1.6))
    const id = `n${at}`
    mapping[id] = { id, message: messageOf(next, role, began + at * 20, length), parent, children: [`n${at + 1}`] }
    // Sometimes a question is asked again from an earlier message.
    parent = at % 11 === 10 ? `n${at - 2}` : id
    written += length
  }
  const ids = Object.keys(mapping)
  return JSON.stringify({
    title: `Chat ${number} about ${words[number % words.length]}`,
    create_time: began,
    update_time: began + ids.length * 20,
    mapping,
    current_node: ids.at(-1),
    conversation_id: `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`,
  })
}

function* piecesOf(chats: number, bytes: number): Generator<string> {
  yield '['
  for (let number = 0; number < chats; number += 1) {
    yield `${number === 0 ? '' : ',\n'}${chatOf(number, Math.round(bytes / chats / 1.4))}`
  }
  yield ']'
}

/** Writes `conversations.json`; returns its bytes. */
export async function writeExport(path: string, chats: number, bytes: number): Promise<number> {
  const file = await open(path, 'w')
  try {
    let size = 0
    for (const piece of piecesOf(chats, bytes)) size += (await file.write(piece)).bytesWritten
    return size
  } finally {
    await file.close()
  }
}

/** The same as the zip that users get; returns its unpacked bytes. */
export async function writeZip(path: string, chats: number, bytes: number): Promise<number> {
  const out = createWriteStream(path)
  const zip = new ZipWriter(Writable.toWeb(out) as WritableStream<Uint8Array>)
  let size = 0
  const encoder = new TextEncoder()
  const pieces = piecesOf(chats, bytes)
  const readable = new ReadableStream<Uint8Array>({
    pull(controller) {
      const { done, value } = pieces.next()
      if (done) return controller.close()
      const chunk = encoder.encode(value)
      size += chunk.length
      controller.enqueue(chunk)
    },
  })
  await zip.add('conversations.json', readable)
  await zip.add('user.json', new Blob(['{}']).stream())
  await zip.close()
  await finished(out)
  return size
}
