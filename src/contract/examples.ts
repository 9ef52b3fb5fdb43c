import type { OperationName } from './operations.js'

export const examples: Partial<Record<OperationName, { params?: Record<string, string>; body?: unknown; answer: unknown }>> = {}
