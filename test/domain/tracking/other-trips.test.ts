import { expect, test } from 'vitest'
import {
  arrive,
  depart,
  discharge,
  drop,
  follow,
  gateIn,
  gateOut,
  load,
  pickUp,
} from '../../support/carrier-history.js'

/** Containers are used again: what they did on other trips is not what happened to the shipment. */

const emptyOut = (at: string, on: string) => gateOut(at, on, { empty: true, facility: 'DEPO' })
const emptyIn = (at: string, on: string) => gateIn(at, on, { empty: true, facility: 'DEPO' })

const fromTaipei = [
  emptyOut('TWTPE', '02-01'),
  gateIn('TWTPE', '02-03'),
  load('TWTPE', '02-05'),
  depart('TWTPE', '02-06'),
  discharge('VNHPH', '02-12'),
  gateOut('VNHPH', '02-14'),
  emptyIn('VNHPH', '02-16'),
]

test('a trip that began at a port far from the first one shows nothing at the last one', () => {
  const shipment = follow('HKHKG', 'VNHPH', { doors: false })
  for (const report of fromTaipei) {
    shipment.report(report)
    const { departure, arrival, delivery, status } = shipment.shown()
    expect([departure, arrival, delivery].join(' '), JSON.stringify(report)).not.toContain('actual')
    expect(['pending', 'at_origin', 'at_transshipment', 'in_transit']).toContain(status)
  }
})

test('the trip of the shipment follows one that began elsewhere', () => {
  const shipment = follow('HKHKG', 'VNHPH', { doors: false })
  shipment.report(
    ...fromTaipei,
    emptyOut('HKHKG', '03-01'),
    gateIn('HKHKG', '03-02'),
    load('HKHKG', '03-03'),
    depart('HKHKG', '03-04'),
    discharge('VNHPH', '03-08'),
  )
  expect(shipment.shown()).toMatchObject({ departure: 'actual 03-04', arrival: 'actual 03-08', status: 'arrived' })
})

test.each([
  ['near the first one, across a border', 'DEHAM', 'NLRTM'],
  ['of the country of the first one', 'CNSHA', 'CNYTN'],
])('what is loaded at another port %s is the shipment', (_where, from, instead) => {
  const shipment = follow(from, 'USNYC', { doors: false })
  shipment.report(
    emptyOut(instead, '03-01'),
    gateIn(instead, '03-02'),
    load(instead, '03-03'),
    depart(instead, '03-04'),
    discharge('USNYC', '04-08'),
  )
  expect(shipment.shown()).toMatchObject({ arrival: 'actual 04-08', status: 'arrived' })
})

test('a feeder brings what was packed far away to the first port', () => {
  const shipment = follow('SGSIN', 'DEHAM', { doors: false })
  shipment.report(
    emptyOut('BDCGP', '03-01'),
    load('BDCGP', '03-03'),
    discharge('SGSIN', '03-09'),
    load('SGSIN', '03-12'),
    depart('SGSIN', '03-13'),
    arrive('DEHAM', '04-08'),
  )
  expect(shipment.shown()).toMatchObject({ departure: 'actual 03-13', arrival: 'actual 04-08', status: 'arrived' })
})

test('an arrival too soon after the departure from a port that the container had not come to counts', () => {
  const shipment = follow('CNXMN', 'USLAX', { doors: false, hubs: ['KRKAN'] })
  shipment.report(
    pickUp('CNXMN', '03-01'),
    load('CNXMN', '03-02'),
    depart('CNXMN', '03-03'),
    load('KRKAN', '03-22'),
    depart('KRKAN', '03-23'),
    arrive('USLAX', '03-24'),
    discharge('USLAX', '04-02'),
    drop('USLAX', '04-05', { phase: 'IMPORT' }),
  )
  expect(shipment.shown()).toMatchObject({ departure: 'actual 03-03', arrival: 'actual 03-24' })
})

test('an arrival too soon after the departure from a port that the container had come to is kept back', () => {
  const shipment = follow('CNXMN', 'USLAX', { doors: false, hubs: ['KRKAN'] })
  shipment.report(
    load('CNXMN', '03-02'),
    depart('CNXMN', '03-03'),
    discharge('KRKAN', '03-08'),
    load('KRKAN', '03-22'),
    discharge('USLAX', '03-24'),
  )
  expect(shipment.shown()).toMatchObject({ arrival: '-', quarantined: ['DISCHARGED 03-24'] })
})

test('a container that comes back empty near the first port has not been delivered at the last one', () => {
  const shipment = follow('VNHPH', 'USLGB')
  shipment.report(load('VNHPH', '03-03'), depart('VNHPH', '03-04'), emptyIn('TWKHH', '03-20'))
  expect(shipment.shown()).toMatchObject({ departure: 'actual 03-04', arrival: '-', delivery: '-' })
  expect(shipment.shown().status).not.toBe('delivered')
})

test.each([
  ['in the hinterland of the last port, across borders', 'NLRTM', 'HUBUD'],
  ['far inland, where nothing is nearer to the first port', 'USLAX', 'USCHI'],
])('a container comes back empty %s', (_where, to, depot) => {
  const shipment = follow('CNSHA', to)
  shipment.report(depart('CNSHA', '03-02', { of: undefined }), discharge(to, '03-28'), emptyIn(depot, '04-06'))
  expect(shipment.shown()).toMatchObject({ delivery: 'estimated 04-06', status: 'delivered' })
})
