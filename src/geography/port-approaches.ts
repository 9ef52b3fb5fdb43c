import type { Point } from './point.js'

/**
 * Waypoints from a port to the open sea, for ports from which the straight line to the nearest lane crosses land: on a
 * river, behind an island, or on another coast.
 */

const yangtze: Point[] = [
  [121.1, 31.75],
  [122.1, 31.25],
]
const wakasaBay: Point[] = [
  [135.6, 35.9],
  [135.2, 37.2],
]
const saigonRiver: Point[] = [[106.95, 10.3]]

export const portApproaches: Record<string, readonly Point[]> = {
  'CL/PMC': [
    [-73.2, -42.9],
    [-74.5, -43.7],
  ],
  'CN/CGU': yangtze,
  'CN/JIA': yangtze,
  'CN/NTG': yangtze,
  'CN/TAG': yangtze.slice(1),
  'CN/ZJG': yangtze,
  'DE/FLF': [[10.3, 54.9]],
  'EC/GYE': [[-80.25, -3.0]],
  'JP/MAI': wakasaBay,
  'JP/TRG': wakasaBay,
  'JP/YAT': [
    [130.4, 32.3],
    [129.9, 32.1],
    [129.3, 32.0],
  ],
  'NL/AMS': [
    [4.55, 52.47],
    [4.3, 52.5],
  ],
  'PG/LAE': [
    [147.3, -7.0],
    [148.5, -7.5],
  ],
  'PL/SZZ': [[14.3, 53.95]],
  'VN/CLI': saigonRiver,
  'VN/TTD': saigonRiver,
}
