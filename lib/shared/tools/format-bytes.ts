export { formatBytes } from '@/lib/base/text/format-duration'
