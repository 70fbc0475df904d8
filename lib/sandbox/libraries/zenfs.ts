// A script of its own, so that it can be replaced; what is in it, and why: `frame/node/zenfs.ts`.
export * from '../frame/node/zenfs'
