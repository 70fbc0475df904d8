export { transform } from 'sucrase'
