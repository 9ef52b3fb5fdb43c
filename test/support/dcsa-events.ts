/** Events of a container ship in the form of DCSA Track & Trace 2.2, with times of 2026. */

const shanghai = '+08:00'
export const hamburg = '+02:00'

type EventFields = {
  at: string
  code: string
  on: string
  zone?: string
  status?: 'PLN' | 'EST' | 'ACT'
  issued: string
}

const vessels = {
  first: { vesselIMONumber: '9321483', vesselName: 'Elbe Horizon' },
  next: { vesselIMONumber: '9454436', vesselName: 'Weser Tide' },
}

function base({ on, zone = shanghai, status = 'ACT', issued }: EventFields) {
  return {
    eventCreatedDateTime: `2026-${issued}:00Z`,
    eventClassifierCode: status,
    eventDateTime: `2026-${on}:00${zone}`,
  }
}

/** Of a vessel, for the containers on board or the whole booking. */
export function ofVessel(ship: keyof typeof vessels, booking: string, fields: EventFields, containers: string[] = []) {
  return {
    ...base(fields),
    eventType: 'TRANSPORT',
    transportEventTypeCode: fields.code,
    transportCall: {
      modeOfTransport: 'VESSEL',
      UNLocationCode: fields.at,
      exportVoyageNumber: '014W',
      vessel: vessels[ship],
    },
    documentReferences: [{ documentReferenceType: 'BKG', documentReferenceValue: booking }],
    ...(containers.length > 0 && {
      references: containers.map((referenceValue) => ({ referenceType: 'EQ', referenceValue })),
    }),
  }
}

export function ofContainer(
  container: string,
  booking: string,
  fields: EventFields & { empty?: boolean; facility?: string },
) {
  return {
    ...base(fields),
    eventType: 'EQUIPMENT',
    equipmentEventTypeCode: fields.code,
    equipmentReference: container,
    emptyIndicatorCode: fields.empty ? 'EMPTY' : 'LADEN',
    ...(fields.facility !== undefined && {
      eventLocation: { UNLocationCode: fields.at, facilityTypeCode: fields.facility },
    }),
    transportCall: { modeOfTransport: 'VESSEL', UNLocationCode: fields.at, exportVoyageNumber: '014W' },
    documentReferences: [{ documentReferenceType: 'BKG', documentReferenceValue: booking }],
  }
}
