// Invented results for the view page: two maps, two trajectories, a layer and scores.

export function viewAnswer(overlay) {
  const middle = (overlay.info('1').geometry.width * 0.05) / 2;
  const poses = (offset) => [...Array(400).keys()].map((step) => {
    const angle = (step / 400) * 2 * Math.PI;
    return [step * 0.5, middle + (9 + offset) * Math.cos(angle), middle + (5 + offset) * Math.sin(2 * angle) / 2, angle + Math.PI / 2];
  });
  return { title: 'report of team_a', items: [
    { kind: 'map', map: overlay.info('truth') },
    { kind: 'map', map: overlay.info('1') },
    { kind: 'trajectory', name: 'truth.tum', frame: 'truth', poses: poses(0), error: null },
    { kind: 'trajectory', name: 'estimate.tum', frame: 'truth', poses: poses(0.3), error: [...Array(400).keys()].map((step) => 0.3 + 0.1 * Math.sin(step / 20)) },
    { kind: 'layer', name: 'victims', title: 'Victims', frame: 'truth', items: overlay.layers('1').layers[0].items },
    { kind: 'scores', name: 'report.json', rows: [{ metric: 'image_similarity', value: 0.8123, unit: '' }, { metric: 'overall_error', value: 1204, unit: 'cells' }] },
  ], time: { from_s: 0, to_s: 199.5 } };
}

export function viewValues(x, y) {
  return { items: [{ name: 'truth.yaml', values: [{ title: 'cell', value: x > 0 && y > 0 ? 'free' : 'unknown' }] },
    { name: 'estimate.tum', values: [{ title: 'nearest pose', value: `${(x / 3).toFixed(1)} s` }, { title: 'error', value: '0.31 m' }] }] };
}
