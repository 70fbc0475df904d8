import { err, ok, type Result } from '@/lib/base/result'
import { makeModelMessage, type ModelMessage } from '@/lib/i18n/t'
import { type RunFiles, failures } from '@/lib/vfs/vfs'
import type { Sandbox, SandboxEvent, SandboxOutcome } from './sandbox'
import type { ReaderName } from './document-assets'
import {
  documentLimits,
  documentPart,
  documentSummary,
  type DocumentFlaw,
  type DocumentPart,
  type DocumentSummary,
  type DocumentText,
  type ReadFormat,
} from './document'

/** The files for a reader: one file, without its name. */
function filesOfOne(data: Uint8Array): RunFiles {
  const size = data.byteLength
  const path = '/document'
  return {
    snapshot: async () =>
      ok({
        entries: [{ path, name: path.slice(1), kind: 'file', size, modifiedAt: 0, version: '' }],
        places: [[0, 0]],
        blobs: [new Blob([data as Uint8Array<ArrayBuffer>])],
        isReadOnly: true,
      }),
    usage: async () => ({ usedBytes: size, limitBytes: size, files: 1 }),
    apply: async () => failures.rootStays(),
  }
}

function readerOf(format: ReadFormat): ReaderName {
  if (format === 'html') return 'html-reader'
  return format === 'pdf' ? 'pdf-reader' : 'office-reader'
}

/** Collects the parts of a document so far. They are untrusted: invalid parts are skipped. */
function createCollector() {
  const parts: DocumentPart[] = []
  let summary: Exclude<DocumentSummary, { readonly flaw: unknown }> | null = null
  let characters = 0
  return {
    parts,
    summary: () => summary,
    take(text: string) {
      const value = parsed(text)
      const part = documentPart.safeParse(value)
      if (part.success) {
        characters += part.data.text.length
        if (characters <= documentLimits.characters && parts.length < documentLimits.parts) parts.push(part.data)
        return
      }
      const about = documentSummary.safeParse(value)
      if (about.success && !('flaw' in about.data)) summary = about.data
    },
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

export interface DocumentToRead {
  readonly format: ReadFormat
  readonly data: Uint8Array
}

const flawed = (flaw: DocumentFlaw): ModelMessage => makeModelMessage('told.document.flaw', { flaw })

/**
 * The text of a document, read by a worker of the sandboxed frame. A document that takes too long returns what was read
 * until then; one that uses too much memory ends only its reader. Errors are sentences.
 */
export async function readDocument(
  sandbox: Sandbox,
  { format, data }: DocumentToRead,
  signal: AbortSignal,
): Promise<Result<DocumentText, ModelMessage>> {
  const collected = createCollector()
  const late = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  const wait = () => {
    clearTimeout(timer)
    timer = setTimeout(() => late.abort(), documentLimits.partMs)
  }
  const onEvent = (event: SandboxEvent) => {
    if (event.type === 'began') wait()
    if (event.type !== 'display') return
    wait()
    collected.take(event.data)
  }
  const outcome = await sandbox.run({
    code: format,
    language: readerOf(format),
    vfs: filesOfOne(data),
    timeoutMs: documentLimits.totalMs,
    signal: AbortSignal.any([signal, late.signal]),
    onEvent,
  })
  clearTimeout(timer)
  if (signal.aborted) return err(makeModelMessage('told.stopped'))
  return textOf(format, outcome, late.signal.aborted, collected)
}

function textOf(
  format: ReadFormat,
  outcome: SandboxOutcome,
  isLate: boolean,
  { parts, summary: early }: ReturnType<typeof createCollector>,
): Result<DocumentText, ModelMessage> {
  if (outcome.kind === 'returned') {
    const about = documentSummary.safeParse(parsed(outcome.value))
    if (!about.success) return err(flawed('broken'))
    if ('flaw' in about.data) return err(flawed(about.data.flaw))
    return ok({ format, parts, ...about.data })
  }
  if (outcome.kind === 'timed-out' || (outcome.kind === 'stopped' && isLate)) {
    const summary = early()
    if (parts.length === 0 || summary === null) return err(makeModelMessage('told.document.late'))
    const outline = summary.outline.filter(({ part }) => part <= parts.length)
    return ok({ format, parts, ...summary, outline, cut: 'time' })
  }
  if (
    outcome.kind === 'unavailable' &&
    outcome.refusal.reason !== 'run.out-of-memory' &&
    outcome.refusal.reason !== 'run.gone'
  )
    return err(outcome.refusal)
  if (outcome.kind === 'threw')
    return err(makeModelMessage('told.document.reader', { why: outcome.message.slice(0, 300) }))
  return err(flawed('too-large'))
}
