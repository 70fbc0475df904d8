import type { SearchRequest } from '../search-worker-port'
import { searchBatch } from './search-batch'

// The worker of one search. Bundled into /workers/search.js by scripts/build-sandbox.mjs.

self.onmessage = ({ data: request }: MessageEvent<SearchRequest>) => self.postMessage(searchBatch(request))
