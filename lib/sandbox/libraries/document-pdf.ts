import { WorkerMessageHandler } from 'pdfjs-dist/legacy/build/pdf.worker.mjs'
import { readPdf } from '../documents/pdf/read-pdf'
import { serveReader } from '../frame/documents/serve-reader'

// Both halves of pdf.js in one worker: it finds the other half here and starts no worker of its own.
Object.assign(globalThis, { pdfjsWorker: { WorkerMessageHandler } })

serveReader((_format, data, ports) => readPdf(data, ports))
