export { jsonErrorAt } from '@/lib/base/json-error-at'
