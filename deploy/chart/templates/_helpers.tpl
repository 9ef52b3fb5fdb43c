{{- define "waybill.name" -}}
{{- .Release.Name | trunc 50 | trimSuffix "-" -}}
{{- end -}}

{{- define "waybill.selector" -}}
app.kubernetes.io/name: waybill
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "waybill.labels" -}}
{{ include "waybill.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end -}}

{{- define "waybill.image" -}}
{{ printf "%s:%s" .Values.image.repository (.Values.image.tag | default .Chart.AppVersion) | quote }}
{{- end -}}

{{- define "waybill.podSecurity" -}}
runAsNonRoot: true
runAsUser: 10001
runAsGroup: 10001
fsGroup: 10001
seccompProfile:
  type: RuntimeDefault
{{- end -}}

{{- define "waybill.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop: [ALL]
{{- end -}}

{{- define "waybill.environment" -}}
- name: DATABASE_URL
  valueFrom:
    secretKeyRef:
      name: {{ required "database.existingSecret: name a secret with the address of PostgreSQL" .Values.database.existingSecret }}
      key: {{ .Values.database.key }}
- name: WAYBILL_WAIT_FOR_DATABASE
  value: "60"
{{- if .Values.documents.existingSecret }}
- name: WAYBILL_DOCUMENTS
  valueFrom:
    secretKeyRef:
      name: {{ .Values.documents.existingSecret }}
      key: {{ .Values.documents.key }}
{{- end }}
{{- if .Values.publicUrl }}
- name: WAYBILL_PUBLIC_URL
  value: {{ .Values.publicUrl | quote }}
{{- end }}
{{- if .Values.trustedProxies }}
- name: WAYBILL_TRUSTED_PROXIES
  value: {{ .Values.trustedProxies | quote }}
{{- end }}
{{- if .Values.operators.separatePort }}
- name: WAYBILL_OPS_PORT
  value: "4011"
- name: WAYBILL_OPS_HOST
  value: "0.0.0.0"
{{- end }}
{{- range $name, $value := .Values.settings }}
- name: {{ $name }}
  value: {{ $value | quote }}
{{- end }}
{{- end -}}

{{- define "waybill.environmentFrom" -}}
{{- range .Values.existingSecrets }}
- secretRef:
    name: {{ . }}
{{- end }}
{{- end -}}
