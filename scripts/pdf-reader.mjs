// pdf.js for the document reader: with limits that it lacks, inserted when it is bundled, and its character maps
// (CMaps) copied to public/sandbox-libs at each build, never committed.
import { copyFile, mkdir, readdir, readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import { cMapAsset } from '../lib/sandbox/document-assets.ts'

const root = path.resolve(import.meta.dirname, '..')
const cMaps = path.join(root, 'node_modules/pdfjs-dist/cmaps')

/** The most bytes that one stream of a PDF may unpack to. */
const streamBytes = 64 * 1024 * 1024

/**
 * Places in pdf.worker.mjs and their replacements. Each must occur exactly once, or the build fails: a new version of
 * pdf.js has to be reviewed before it comes in without its limits.
 */
export const pdfLimits = [
  {
    what: 'a stream grows without end',
    place: `  ensureBuffer(requested) {
    const buffer = this.buffer;
    if (requested <= buffer.byteLength) {
      return buffer;
    }
`,
    // pdf.js skips a stream that it can't read, so our reader checks the flag.
    add: `    if (requested > ${streamBytes}) {
      globalThis.nodStreamTooLarge = true;
      throw new Error("a stream unpacks to more than ${streamBytes} bytes");
    }
`,
  },
  {
    // The browser unpacks a whole write before it can be stopped; pdf.js's own inflater does it step by step instead.
    what: 'a stream is unpacked by the browser',
    place: `  async asyncGetBytesFromDecompressionStream(name) {
    this.stream.reset();
    const bytes = this.stream.isAsync && (await this.stream.asyncGetBytes()) || this.stream.getBytes();
    try {
`,
    add: `      throw new Error("not by the browser");
`,
  },
  {
    // Pictures are not unpacked, but the area that they cover is recorded.
    what: 'a picture is left out',
    place: `      const msg = "Image exceeded maximum allowed size and was removed.";
      if (!ignoreErrors) {
        throw new Error(msg);
      }
      warn(msg);
`,
    add: `      operatorList.addOp(OPS.paintSolidColorImageMask, []);
`,
  },
]

/**
 * Inserts the limits into the text of pdf.worker.mjs. Throws if a place is not found, or found twice.
 * @param {string} text
 */
export function withPdfLimits(text) {
  let limited = text
  for (const { what, place, add } of pdfLimits) {
    if (limited.split(place).length !== 2) throw new Error(`pdf.js is not as it is known here: ${what}`)
    limited = limited.replace(place, () => place + add)
  }
  return limited
}

/** Bundles pdf.js with its limits. @type {import('esbuild').Plugin} */
export const limitPdf = {
  name: 'limit-pdf',
  setup(builder) {
    let limited = false
    builder.onLoad({ filter: /[\\/]pdfjs-dist[\\/]legacy[\\/]build[\\/]pdf\.worker\.mjs$/ }, async ({ path: file }) => {
      limited = true
      return { contents: withPdfLimits(await readFile(file, 'utf8')), resolveDir: path.dirname(file) }
    })
    builder.onEnd(() => {
      if (!limited) throw new Error('pdf.js was bundled without its limits')
    })
  },
}

/**
 * The source of each character map, by its path under the project’s root; their licence is beside them.
 * @returns {Promise<Record<string, string>>}
 */
export async function cMapSources() {
  const names = (await readdir(cMaps)).filter((name) => name.endsWith('.bcmap'))
  return Object.fromEntries([
    ...names.map((name) => [`public/sandbox-libs/${cMapAsset(name.slice(0, -6))}`, path.join(cMaps, name)]),
    ['public/sandbox-libs/cmap-licence.txt', path.join(cMaps, 'LICENSE')],
  ])
}

/** Copies those that are missing or differ in size; returns their folder if there were any. */
export async function copyCMaps() {
  let copied = 0
  for (const [name, source] of Object.entries(await cMapSources())) {
    const target = path.join(root, name)
    const [there, wanted] = await Promise.all([stat(target).catch(() => null), stat(source)])
    if (there?.size === wanted.size) continue
    await mkdir(path.dirname(target), { recursive: true })
    await copyFile(source, target)
    copied += 1
  }
  return copied === 0 ? [] : ['public/sandbox-libs/cmap-*']
}
