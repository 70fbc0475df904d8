import Papa from 'papaparse'
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { WorkerMessageHandler } from 'pdfjs-dist/legacy/build/pdf.worker.mjs'

/* The comparison for Nod: the libraries alone, in a plain worker, without a limit or a frame. */

Object.assign(globalThis, { pdfjsWorker: { WorkerMessageHandler } })

const work = {
  async pdf(data: Uint8Array) {
    const pdf = await getDocument({ data, useSystemFonts: false }).promise
    let characters = 0
    for (let n = 1; n <= pdf.numPages; n++) {
      const { items } = await (await pdf.getPage(n)).getTextContent()
      characters += items.map((item) => ('str' in item ? item.str : '')).join(' ').length
    }
    return characters
  },
  csv: (data: Uint8Array) =>
    Papa.parse(new TextDecoder().decode(data), { header: true, dynamicTyping: true, skipEmptyLines: true }).data.length,
}

self.addEventListener(
  'message',
  ({ data }: MessageEvent<{ readonly kind: keyof typeof work; readonly data: Uint8Array }>) => {
    void Promise.resolve(work[data.kind](data.data)).then((result) => self.postMessage(result))
  },
)
