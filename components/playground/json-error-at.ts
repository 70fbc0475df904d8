export { jsonErrorAt } from '@/lib/base/text/json-error-at'
