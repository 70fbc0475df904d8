export { createModuleGraph } from '../frame/modules/module-graph'
export { posixPath } from '../frame/modules/resolve'
