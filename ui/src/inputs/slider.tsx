import { useEffect, useRef } from 'react';
import styles from './slider.module.css';

interface SliderProps {
  readonly label: string;
  readonly value: number;
  readonly minValue: number;
  readonly maxValue: number;
  readonly onChange: (value: number) => void;
  readonly isDisabled?: boolean;
}

export function Slider({ label, value, minValue, maxValue, onChange, isDisabled }: SliderProps) {
  const range = useRef<HTMLInputElement>(null);
  useEffect(() => {
    range.current?.style.setProperty('--filled', `${((value - minValue) / (maxValue - minValue)) * 100}%`);
  }, [value, minValue, maxValue]);
  return (
    <input
      ref={range}
      type="range"
      className={styles['range']}
      aria-label={label}
      value={value}
      min={minValue}
      max={maxValue}
      disabled={isDisabled}
      onChange={(event) => onChange(Number(event.target.value))}
    />
  );
}
