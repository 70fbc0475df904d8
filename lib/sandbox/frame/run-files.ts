import type { CallHost } from './host-calls'
import type { Answer, RunSnapshot } from './protocol'
import type { RunChange } from './run-changes'

/*
 * The two words that a run has with the page about files: it is handed all of them as they are now, and hands in what it did.
 */

// The library of types for pages does not know it.
declare const FileReaderSync: new () => { readAsArrayBuffer(blob: Blob): ArrayBuffer }

/** Opened Blobs that are kept, in bytes: code that reads all files of a large chat is not to hold them all. */
const openedBytes = 64_000_000

/** All files as of now. Rejects with a sentence. */
export async function takeSnapshot(callHost: CallHost): Promise<RunSnapshot> {
  const answer = await callHost('snapshot', [])
  if (!answer.ok) throw new Error(`The files of this chat could not be read: ${answer.message}`)
  return answer.value as RunSnapshot
}

/** Contents out of the snapshot's Blobs, at once: `FileReaderSync` is there in workers alone. Nobody changes what it gives. */
export function createBlobReader(
  { entries, places, blobs }: Pick<RunSnapshot, 'entries' | 'places' | 'blobs'>,
  open: (blob: Blob) => ArrayBuffer = (blob) => new FileReaderSync().readAsArrayBuffer(blob),
): (index: number) => Uint8Array {
  const opened = new Map<number, Uint8Array>()
  let bytes = 0

  function openBundle(bundle: number): Uint8Array {
    const blob = blobs[bundle]
    if (blob === undefined) throw new Error('The files did not come whole.')
    const whole = opened.get(bundle) ?? new Uint8Array(open(blob))
    if (!opened.delete(bundle)) bytes += whole.byteLength
    opened.set(bundle, whole)
    // The one that was used longest ago goes first.
    for (const [oldest, { byteLength }] of opened) {
      if (bytes <= openedBytes || oldest === bundle) break
      opened.delete(oldest)
      bytes -= byteLength
    }
    return whole
  }

  return (index) => {
    const [bundle, from] = places[index] ?? [-1, 0]
    const size = entries[index]?.size ?? 0
    return size === 0 ? new Uint8Array() : openBundle(bundle).subarray(from, from + size)
  }
}

/** Hands in what was done to the files: the steps as text, all bytes as one Blob. Null: there is nothing to hand in. */
export async function handIn(changes: readonly RunChange[], callHost: CallHost): Promise<Answer | null> {
  if (changes.length === 0) return null
  const parts: Uint8Array<ArrayBuffer>[] = []
  let at = 0
  const steps = changes.map((change) => {
    if (change.kind !== 'write') return change
    const { kind, path, data } = change
    const step = { kind, path, at, size: data.byteLength }
    parts.push(data as Uint8Array<ArrayBuffer>)
    at += data.byteLength
    return step
  })
  return callHost('commit', [JSON.stringify(steps), new Blob(parts)])
}

/** Why nothing was kept, after what the code itself came to; null: all of it was. */
export const notKept = (answer: Answer | null): string | null =>
  answer === null || answer.ok ? null : `None of its changes to files were kept: ${answer.message}`
