export { createGuestNode } from '../frame/node/guest-node'
