// A separate script, so that it can be replaced; `frame/node/zenfs.ts` explains its contents.
export * from '../frame/node/zenfs'
