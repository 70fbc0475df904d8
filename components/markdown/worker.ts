import { readMarkdown } from './read-markdown'

// Parses Markdown off the main thread. Bundled into /workers/markdown.js by scripts/build-sandbox.mjs.

self.onmessage = ({ data: text }: MessageEvent<string>) => self.postMessage(readMarkdown(text))
