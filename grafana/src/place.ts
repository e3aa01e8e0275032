/** The uid that the provisioned data source has. Dashboards have a variable for it, rules need a fixed one. */
export const DATASOURCE_UID = 'prometheus';

/** Grafana's folder for the dashboards and rules. */
export const FOLDER = 'Warren';
