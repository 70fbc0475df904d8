import { createHostCalls, type AssetBytes, type RelayToWorker, type WorkerToRelay } from '../protocol'
import { takeSnapshot } from '../run-files'

/*
 * A worker with a single task for the files that it receives: it reports that it is ready, gets its order, takes the
 * files, and answers with JSON.
 */

export interface SubmittedFile {
  readonly path: string
  readonly data: () => Promise<Uint8Array>
}

export interface FilePorts {
  /** Shows a value before the answer is ready; it is kept even if the rest takes too long. */
  readonly show: (kind: 'json' | 'table', value: unknown) => void
  /** Null: there is no such asset. */
  readonly asset: (name: string) => Promise<Uint8Array<ArrayBuffer> | null>
}

/** `answer` should turn failures into answers; if it throws anyway, the run ends with the error's message. */
export function serveFiles(
  answer: (order: string, files: readonly SubmittedFile[], ports: FilePorts) => Promise<unknown>,
): void {
  const post = self.postMessage.bind(self)
  const send = (message: WorkerToRelay) => post(message)
  const calls = createHostCalls(send)
  const assets = new Map<number, (bytes: AssetBytes) => void>()

  const ports: FilePorts = {
    show: (kind, value) => send({ type: 'show', kind, data: JSON.stringify(value) }),
    asset: (name) =>
      new Promise((resolve) => {
        const id = assets.size + 1
        assets.set(id, resolve)
        send({ type: 'asset', id, name })
      }),
  }

  async function run(order: string): Promise<void> {
    const { entries, places, blobs } = await takeSnapshot(calls.callHost)
    const files = entries.flatMap(({ path, kind, size }, at) => {
      const [bundle, from] = places[at] ?? [-1, 0]
      const blob = blobs[bundle]
      if (kind !== 'file' || blob === undefined) return []
      const data = async () => new Uint8Array(await blob.slice(from, from + size).arrayBuffer())
      return [{ path, data }]
    })
    send({ type: 'done', ok: true, text: JSON.stringify(await answer(order, files, ports)), isJson: true })
  }

  self.addEventListener('message', ({ data }: MessageEvent<RelayToWorker>) => {
    switch (data.type) {
      case 'run':
        return void run(data.code).catch((thrown: unknown) =>
          send({
            type: 'done',
            ok: false,
            text: thrown instanceof Error ? thrown.message : String(thrown),
            isJson: false,
          }),
        )
      case 'answer':
        return calls.take(data.id, data.answer)
      case 'asset':
        assets.get(data.id)?.(data.bytes)
        return
      case 'idle':
      case 'tool-answer':
      // For workers that run code.
    }
  })
  send({ type: 'ready' })
}
