import { isRecord } from '@/lib/base/json'
import { chatZipLimits } from '@/lib/client/files/chat-zip/unpack-chat'
import { names } from '@/lib/client/files/chat-zip/pack-chat'
import type { readZip } from '@/lib/client/files/zip/read-zip'
import { checkRecord, linesOf, type CheckedEntry, type CheckedRecord } from '@/lib/shared/record/check-record'
import { firstType, hashOfBytes } from '@/lib/shared/record/record-chain'
import { recordFormat, recordVersion } from './record-entries'

/** The zip's members compared with its record. Paths, sorted. */
export interface CheckedMembers {
  readonly count: number
  readonly changed: readonly string[]
  readonly missing: readonly string[]
  /** The record does not list these files. */
  readonly extra: readonly string[]
}

export type CheckedFile =
  | { readonly kind: 'no-record' }
  /** A newer version of Nod wrote the record. */
  | { readonly kind: 'newer'; readonly version: number }
  /** `why`: a sentence. */
  | { readonly kind: 'unreadable'; readonly why: string }
  | {
      readonly kind: 'checked'
      readonly record: CheckedRecord
      readonly title: string
      /** Other accounts that decided on calls, by the names that the record gives them. */
      readonly reviewers: readonly { readonly name: string; readonly calls: number }[]
      /** Null: the record came without its zip, or it is broken, so it confirms no file. */
      readonly members: CheckedMembers | null
    }

interface CheckPorts {
  readonly readZip: typeof readZip
  readonly signal: AbortSignal
}

/** Checks an exported zip, or a record alone. Sends nothing. Rejects only with the signal's reason. */
export async function checkFile(file: Blob, { readZip, signal }: CheckPorts): Promise<CheckedFile> {
  if ((await file.slice(0, 2).text()) !== 'PK') {
    const start = await file.slice(0, 7).text()
    return start === '{"at":"' ? checkLines(file, signal, null) : { kind: 'no-record' }
  }
  const read = await readZip(file, chatZipLimits, { signal })
  if (!read.ok) return { kind: 'unreadable', why: read.error.message }
  const { files } = read.value
  const record = files.find(({ path }) => path === names.record)
  if (!record) return { kind: 'no-record' }
  const others = files.filter((one) => one !== record)
  return checkLines(new Blob([record.data as Uint8Array<ArrayBuffer>]), signal, others)
}

async function checkLines(
  file: Blob,
  signal: AbortSignal,
  beside: readonly { readonly path: string; readonly data: Uint8Array }[] | null,
): Promise<CheckedFile> {
  let title = ''
  let version: unknown = recordVersion
  let format: unknown = recordFormat
  const listed = new Map<string, unknown>()
  const reviewed = new Map<string, number>()
  const onEntry = ({ type, subject }: CheckedEntry) => {
    signal.throwIfAborted()
    if (type === firstType) {
      const { chat } = subject
      ;({ format, version } = subject)
      if (isRecord(chat) && typeof chat['title'] === 'string') title = chat['title']
    }
    const { path, hash, authorization } = subject
    const reviewer = type === 'call' && isRecord(authorization) ? authorization['reviewer'] : undefined
    if (typeof reviewer === 'string') reviewed.set(reviewer, (reviewed.get(reviewer) ?? 0) + 1)
    if (type === 'file' && typeof path === 'string') listed.set(path, hash)
  }
  const record = await checkRecord(linesOf(file), onEntry)
  if (format !== recordFormat) return { kind: 'no-record' }
  if (typeof version !== 'number' || version > recordVersion) return { kind: 'newer', version: Number(version) }
  const reviewers = [...reviewed].map(([name, calls]) => ({ name, calls }))
  if (record.broken || beside === null) return { kind: 'checked', record, title, reviewers, members: null }
  const changed: string[] = []
  const extra: string[] = []
  for (const { path, data } of beside) {
    signal.throwIfAborted()
    if (!listed.has(path)) extra.push(path)
    else if (listed.get(path) !== (await hashOfBytes(data))) changed.push(path)
  }
  const there = new Set(beside.map(({ path }) => path))
  const missing = [...listed.keys()].filter((path) => !there.has(path))
  const members = {
    count: listed.size,
    changed: changed.toSorted(),
    missing: missing.toSorted(),
    extra: extra.toSorted(),
  }
  return { kind: 'checked', record, title, reviewers, members }
}
