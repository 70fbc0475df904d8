import { readMarkdown } from './read-markdown'

// Reads Markdown beside the page. Bundled into /workers/markdown.js by scripts/build-sandbox.mjs.

self.onmessage = ({ data: text }: MessageEvent<string>) => self.postMessage(readMarkdown(text))
