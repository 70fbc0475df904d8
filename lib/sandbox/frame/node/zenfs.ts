/*
 * The library behind `fs` in sandboxed code, without any of our code: to use another version, replace
 * public/sandbox-libs/zenfs.js with a script that has these exports. Our code is in `node.ts`, which receives these
 * exports.
 */
export { Buffer } from 'buffer'
export { configure as configureLog } from 'kerium/log'
export { withErrno } from 'kerium'
export { defaultContext } from '@zenfs/core/internal/contexts.js'
export { FileSystem } from '@zenfs/core/internal/filesystem.js'
export { Sync } from '@zenfs/core/mixins/sync.js'
export * as fs from '@zenfs/core/node/index.js'
export { mount, umount } from '@zenfs/core/vfs/shared.js'
export { caches } from '@zenfs/core/vfs/vcache.js'
export { _setAccessChecks as setAccessChecks } from '@zenfs/core/vfs/config.js'
export * as stream from '@zenfs/streams'
export * as streamPromises from '@zenfs/streams/promises'
export { EventEmitter } from '@zenfs/streams/events'
export { StringDecoder } from '@zenfs/streams/string_decoder'
